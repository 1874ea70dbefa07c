import { describe, expect, it } from 'vitest';
import { hexesOf, parse, write } from '../src/lib/notation';

describe('actions as text', () => {
  it('reads every form of the notation', () => {
    const forms: Record<string, string> = {
      'A5@b3^0': 'place',
      '+W@a1': 'enter',
      'L:a1-b2': 'move',
      'W:a1=d3': 'camp_move',
      'X@a2': 'excavate',
      'D@b3': 'dig',
      'S:2:3/5': 'exchange',
      'C@b2': 'camp',
      'GL@c3': 'guard',
      '.': 'end',
      'B:5': 'bid',
      'B:-': 'pass',
      'K:A5': 'take',
      'O:a1-a2': 'obstacle',
      'M@c3': 'gun',
      'R:2@c3': 'shoot',
      'V:+': 'score_volcano',
      'V:-': 'skip_volcano',
      'J:3': 'leap',
    };
    for (const [text, kind] of Object.entries(forms)) expect(parse(text)?.kind, text).toBe(kind);
    expect(parse('S:2:3/5')).toEqual({ kind: 'exchange', with: 2, give: 3, take: 5 });
    expect(parse('J:?')).toEqual({ kind: 'leap', tokens: null });
  });

  it('refuses other text', () => {
    for (const text of ['', 'X@i1', 'X@a6', 'W:a1', 'A5@b3^6', 'A5@-', '..']) expect(parse(text), text).toBeNull();
  });

  it('writes the actions that do not come from the server as it reads them', () => {
    expect(write({ kind: 'place', tile: 'A5', hex: 'b3', rotation: 2 })).toBe('A5@b3^2');
    expect(write({ kind: 'enter', member: 'L', hex: 'a1' })).toBe('+L@a1');
    expect(write({ kind: 'exchange', with: 2, give: 3, take: 5 })).toBe('S:2:3/5');
  });

  it('knows which hexes an action is about', () => {
    expect(hexesOf(parse('W:a1-b2')!)).toEqual(['a1', 'b2']);
    expect(hexesOf(parse('X@a2')!)).toEqual(['a2']);
    expect(hexesOf(parse('.')!)).toEqual([]);
  });
});
