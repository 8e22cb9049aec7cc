/** Task ids (Reading 8). */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createdAt, taskId } from '../../../lib/task/id.ts';

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
