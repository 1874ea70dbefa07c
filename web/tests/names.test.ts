import { expect, test } from 'vitest';
import { LEVELS } from '../src/lib/data';
import { has } from '../src/lib/messages.svelte';
import { botTitle, breadth, lookOf, seatNames } from '../src/lib/names';
import { FACES } from '../src/ui/Face.svelte';

const bot = (seat: number, level: string, name = level) => ({ seat, kind: 'bot' as const, name, level });
const person = (seat: number, name: string) => ({ seat, kind: 'person' as const, name, level: null });

test('people have their names, bots the word for their level', () => {
  expect(seatNames([person(1, 'Ana'), bot(2, 'digger')])).toEqual(['Ana', 'Digger']);
});

test('bots that the server has named have those names', () => {
  expect(seatNames([bot(1, 'digger', 'Rosa'), person(2, 'Ana'), bot(3, 'digger', 'Gus')])).toEqual(['Rosa', 'Ana', 'Gus']);
});

test('every level has a face and a style', () => {
  expect([...FACES].sort()).toEqual([...LEVELS].sort());
  expect(LEVELS.filter((level) => !has(`seats.style.${level}`))).toEqual([]);
  expect(botTitle('digger')).toBe('Digger, treasure hunter');
});

test('seats that would be called the same are numbered', () => {
  expect(seatNames([bot(1, 'digger'), person(2, 'Ana'), bot(3, 'digger')])).toEqual(['Digger 1', 'Ana', 'Digger 2']);
});

test('a bot that takes over a seat keeps its name', () => {
  expect(seatNames([bot(1, 'surveyor', 'Ana')])).toEqual(['Ana']);
});

test('bots of the same level differ in looks', () => {
  const seats = [bot(1, 'digger'), bot(2, 'mason'), bot(3, 'digger'), bot(4, 'digger')];
  expect(seats.map(({ seat }) => lookOf(seats, seat))).toEqual([0, 0, 1, 2]);
});

test('wide letters and Chinese characters need more room than others', () => {
  const [narrow, wide, chinese] = ['Lila', 'Mawm', '玛雅石塔'].map(breadth);
  expect(narrow).toBe(4);
  expect(wide).toBeGreaterThan(narrow!);
  expect(chinese).toBeGreaterThan(wide!);
});
