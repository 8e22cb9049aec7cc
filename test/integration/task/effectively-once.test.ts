/**
 * Effectively once: each message comes one to five times, in any order, steps are repeated, overtaken and cut off, and still
 * there is one final state, one stored result and one delivery beyond the attempts in flight.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { afterlives, lives, searches } from './arbitraries.ts';
import { startLife } from './life.ts';
import { begin, runOnce, settle } from './model.ts';

const life = await startLife();

beforeAll(() => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterAll(() => life.stop());

const finals = ['success', 'error', 'dead_letter'];

/** All that was sent has arrived: what is left of it. */
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

test('a task ends once, with one result and one delivery, however its messages come', async () => {
  await fc.assert(
    fc.asyncProperty(searches, lives, fc.boolean(), async (search, commands, isTaken) => {
      const task = await begin(life, search);
      await fc.asyncModelRun(() => task, commands);
      await settle(task.model, task.real, isTaken);
      await expectOnce(task);
    }),
    { numRuns: 40, interruptAfterTimeLimit: 50_000 },
  );
}, 120_000);

test('a delivery is made once beyond the attempts in flight, or parked after five', async () => {
  await fc.assert(
    fc.asyncProperty(afterlives, fc.boolean(), async (commands, isTaken) => {
      const task = await begin(life, { kind: 'empty', depth: 10, postback: true, reuse: false });
      await runOnce(task.model, task.real);
      await fc.asyncModelRun(() => task, commands);
      await settle(task.model, task.real, isTaken);
      await expectOnce(task);
    }),
    { numRuns: 40, interruptAfterTimeLimit: 50_000 },
  );
}, 120_000);
