import { describe, expect, test } from 'vitest';
import type { MyTable } from '../src/lib/types';
import { ARCHIVE_DAYS } from '../src/lib/archive';
import { filterOf, withPlayer } from '../src/lobby/filters';

const NOW = 1_800_000_000_000;
const DAY = 86_400_000;
const table = (what: Partial<MyTable>): MyTable =>
  ({ state: 'playing', your_turn: false, changed: NOW, seats: [{ kind: 'person', name: 'Zoé Ann' }], ...what }) as MyTable;

describe('the group of a game', () => {
  test.each([
    [{ your_turn: true }, 'turn'],
    [{}, 'playing'],
    [{ state: 'open' }, 'open'],
    [{ state: 'over' }, 'over'],
    [{ state: 'frozen' }, 'over'],
    [{ your_turn: true, changed: NOW - (ARCHIVE_DAYS + 1) * DAY }, 'archived'],
    [{ state: 'open', changed: NOW - (ARCHIVE_DAYS + 1) * DAY }, 'archived'],
    [{ your_turn: true, changed: NOW - (ARCHIVE_DAYS - 1) * DAY }, 'turn'],
    [{ state: 'over', changed: NOW - 100 * DAY }, 'over'],
  ] as const)('%j: %s', (what, filter) => expect(filterOf(table(what), NOW)).toBe(filter));
});

test.each([
  ['', true],
  ['zoÉ', true],
  [' ann ', true],
  ['bob', false],
])('with a player named %j: %s', (name, found) => expect(withPlayer(table({}), name)).toBe(found));
