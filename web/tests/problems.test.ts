import { describe, expect, test } from 'vitest';
import errors from '../../src/tikal/server/errors.py?raw';
import { needs, speak, t } from '../src/lib/messages.svelte';
import { explained } from '../src/lib/reason';
import { Refused } from '../src/lib/server';
import { kindly } from '../src/ui/problems';

const CODES = [...errors.matchAll(/^ {4}"(\w+)": \d{3},$/gm)].map(([, code]) => code!);

test('the codes are found', () => expect(CODES).toContain('malformed'));

test.each(CODES)('there are words for %s', (code) => {
  expect(kindly(new Refused(code, 'plain')).text).not.toBe('plain');
});

test('unknown refusals show the server’s text', () => {
  expect(kindly(new Refused('news', 'something new'))).toEqual({ text: 'something new', detail: null });
});

describe('reasons of the server', () => {
  const values = { line: 12, why: { key: 'illegal', values: { action: 'X@a2', code: 'members', rule: 'R5' } } };
  const broken = { key: 'record_in_line', values };

  test.each([
    ['en', /^line 12: X@a2: .*\[R5\]$/],
    ['de', /^Zeile 12: X@a2: .* \[R5\]$/],
    ['zh', /^第 12 行：X@a2：.* \[R5\]$/],
  ])('are said in %s', async (language, told) => {
    await needs('reason');
    await speak(language);
    expect(explained(broken)).toMatch(told);
    await speak('en');
  });

  test('stand for the English text, which nobody sees', () => {
    const problem = new Refused('malformed', 'line 12: …', 422, null, '', '', broken);
    expect(kindly(problem)).toEqual({ text: t('problem.malformed'), detail: null });
  });
});
