import { expect, test } from 'vitest';
import { seatNames } from '../src/lib/names';

const bot = (seat: number, level: string, name = level) => ({ seat, kind: 'bot' as const, name, level });
const person = (seat: number, name: string) => ({ seat, kind: 'person' as const, name, level: null });

test('people have their names, bots the word for their level', () => {
  expect(seatNames([person(1, 'Ana'), bot(2, 'digger')])).toEqual(['Ana', 'Digger']);
});

test('seats that would be called the same are numbered', () => {
  expect(seatNames([bot(1, 'digger'), person(2, 'Ana'), bot(3, 'digger')])).toEqual(['Digger 1', 'Ana', 'Digger 2']);
});

test('a bot that plays on for somebody keeps that name', () => {
  expect(seatNames([bot(1, 'surveyor', 'Ana')])).toEqual(['Ana']);
});
