/**
 * Effectively once: each message is received one to five times, in any order, and steps are repeated,
 * overtaken and cut off. Still, a task has one final state, one stored result and one delivery, apart from
 * repeated attempts after a crash.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { afterlives, boundedTo, lives, propertyTimeoutMs, searches } from './arbitraries.ts';
import { startLife } from './life.ts';
import { begin, runOnce, settle } from './model.ts';

const life = await startLife();

beforeAll(() => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterAll(() => life.stop());

const finals = ['success', 'error', 'dead_letter'];

/** Checks a task after every message has been received. */
const expectOnce = async ({ model, real }: Awaited<ReturnType<typeof begin>>) => {
  const row = await life.readRow(real.key);
  const ends = (life.history.get(real.key.id) ?? []).filter((status) => finals.includes(status));
  expect(ends).toEqual([row.status]);
  expect(row).not.toHaveProperty('unfinished');
  expect(row).not.toHaveProperty('due_at');
  expect(row.stored !== undefined).toBe(row.status === 'success');

  const ids = life.receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(new Set(ids).size).toBe(model.search.postback ? 1 : 0);
  expect(ids.length).toBeLessThanOrEqual(5);
  expect(model.taken).toBeLessThanOrEqual(1 + model.crashes);
  expect(row.delivery_state ?? 'none').toBe(
    !model.search.postback ? 'none' : model.taken > model.crashes ? 'delivered' : 'parked',
  );
};

test(
  'a task ends once, with one result and one delivery, in whatever order its messages are received',
  async () => {
    await fc.assert(
      fc.asyncProperty(searches, lives, fc.boolean(), async (search, commands, isTaken) => {
        const task = await begin(life, search);
        await fc.asyncModelRun(() => task, commands);
        await settle(task.model, task.real, isTaken);
        await expectOnce(task);
      }),
      boundedTo(25),
    );
  },
  propertyTimeoutMs,
);

test(
  'a delivery succeeds once, apart from repeats after a crash, or is parked after five attempts',
  async () => {
    await fc.assert(
      fc.asyncProperty(afterlives, fc.boolean(), async (commands, isTaken) => {
        const task = await begin(life, { kind: 'empty', depth: 10, postback: true, reuse: false });
        await runOnce(task.model, task.real);
        await fc.asyncModelRun(() => task, commands);
        await settle(task.model, task.real, isTaken);
        await expectOnce(task);
      }),
      boundedTo(25),
    );
  },
  propertyTimeoutMs,
);
