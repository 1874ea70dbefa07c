import { expect, test } from 'vitest';
import errors from '../../src/tikal/server/errors.py?raw';
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

test('where the server says more, that is kept', () => {
  expect(kindly(new Refused('option', 'leaps needs auction=true')).detail).toBe('leaps needs auction=true');
});
