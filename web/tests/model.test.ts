import { expect, test } from 'vitest';
import { describe } from '../src/board/describe';
import { contentOf, groupsOn } from '../src/board/model';
import { view } from './story';

test('members that have worked are counted with the last group of their seat, those that a boulder took are not', () => {
  const seen = view({
    workers: [{ a2: 2 }, { a2: 1 }],
    leader: ['a2', 'reserve'],
    worked: [{ a2: 2 }, {}],
    lost: [{ a2: 1 }, {}],
  });
  expect(groupsOn(seen, 'a2')).toEqual([
    { seat: 1, member: 'L', count: 1, worked: 0 },
    { seat: 1, member: 'W', count: 2, worked: 1 },
    { seat: 2, member: 'W', count: 1, worked: 0 },
  ]);
  expect(describe(contentOf(seen, [], 'a2'), seen, ['Ann', 'Bob'], null, null)).toBe(
    'a2, temple, level 1, your leader, 2 of your workers, 1 of them has worked this turn, one of Bob’s workers',
  );
});
