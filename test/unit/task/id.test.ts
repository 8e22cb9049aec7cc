/** Task ids (Reading 8). */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { batchIdOf, batchTaskIds, createdAt, taskId } from '../../../lib/task/id.ts';

const seconds = fc.integer({ min: 1_700_000_000, max: 4_000_000_000 });
const counter = fc.integer({ min: 0, max: 2 ** 40 });

test('an id is a safe integer', () => {
  fc.assert(fc.property(seconds, counter, (now, number) => Number.isSafeInteger(taskId(now, number))));
});

test('a later second gives a greater id, for any counter', () => {
  fc.assert(fc.property(seconds, counter, counter, (now, a, b) => taskId(now, a) < taskId(now + 1, b)));
});

test('ids of one second differ if their counters differ by less than 2^21', () => {
  fc.assert(
    fc.property(seconds, counter, fc.integer({ min: 1, max: 2 ** 21 - 1 }), (now, number, gap) => {
      expect(taskId(now, number)).not.toBe(taskId(now, number + gap));
    }),
  );
});

test('the creation time of a task can be read from its id', () => {
  fc.assert(
    fc.property(seconds, counter, (now, number) => {
      expect(createdAt(taskId(now, number))).toBe(now);
    }),
  );
});

test('an id is the second, and 21 bits of the number', () => {
  expect(taskId(3, 5)).toBe(3 * 2 ** 21 + 5);
  expect(taskId(3, 2 ** 21 + 5)).toBe(3 * 2 ** 21 + 5);
});

test('the ids of a batch and its tasks follow each other, also over the end of a counter', () => {
  const shard = 5 * 2 ** 21 + 3 * 2 ** 16;
  const last = shard + 2 ** 16 - 1;

  expect(batchTaskIds(last, 3)).toEqual([shard, shard + 1, shard + 2]);
  expect(batchTaskIds(shard + 7, 2)).toEqual([shard + 8, shard + 9]);
  expect(batchIdOf(shard)).toBe(last);
  expect(batchIdOf(shard + 8)).toBe(shard + 7);
});
