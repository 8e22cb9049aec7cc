/** The tables of legal moves of tasks (Readings 1 and 3). */
import { expect, test } from 'vitest';
import { TaskStatus } from '../../../lib/model/task-status.ts';
import { isFinal, serpMoves, statesBefore } from '../../../lib/task/status.ts';

// Reading 1, written by hand: a test of a table needs a second, independent copy of it.
const legal = `
awaiting crawling, awaiting parsing, crawling crawling, crawling parsing, crawling awaiting_webhook, awaiting_webhook parsing,
parsing success, awaiting error, crawling error, awaiting_webhook error, parsing error, awaiting dead_letter,
crawling dead_letter, awaiting_webhook dead_letter, parsing dead_letter, dead_letter awaiting`
  .split(',')
  .map((move) => move.trim());

const pairs = TaskStatus.options.flatMap((from) => TaskStatus.options.map((to) => [from, to] as const));

test.each(pairs)('a move from %s to %s is legal only if Reading 1 lists it', (from, to) => {
  expect(statesBefore('serp', to).includes(from)).toBe(legal.includes(`${from} ${to}`));
});

test('no move is listed twice', () => {
  expect(new Set(serpMoves.map(({ from, to }) => `${from} ${to}`)).size).toBe(serpMoves.length);
});

test.each(TaskStatus.options)('%s is final if and only if no run may move it', (status) => {
  const next = serpMoves.filter((move) => move.from === status && move.from !== 'dead_letter');
  expect(isFinal(status)).toBe(next.length === 0 && status !== 'completed');
});

// Reading 3, by hand.
const legalOfKeywords = `
awaiting parsing, awaiting success, parsing success, awaiting error, parsing error, awaiting dead_letter,
parsing dead_letter, dead_letter awaiting`
  .split(',')
  .map((move) => move.trim());

test.each(pairs)('keyword data moves from %s to %s only if Reading 3 lists it', (from, to) => {
  for (const kind of ['keyword', 'ideas'] as const) {
    expect(statesBefore(kind, to).includes(from)).toBe(legalOfKeywords.includes(`${from} ${to}`));
  }
});
