/**
 * The same messages in several hands at once: each is received one to five times, and all of their calls to the stores take turns in an
 * order that the property picks. What one by one cannot show, a race between a read and the write that rests on it, shows here.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { serpMoves } from '../../../lib/task/status.ts';
import { searches } from './arbitraries.ts';
import { type Gate, type Message, startLife } from './life.ts';

const life = await startLife();

beforeAll(() => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterAll(() => life.stop());

/** One call at a time, the next one picked by the scheduler from those that wait. */
const turnsOf =
  (scheduler: fc.Scheduler): Gate =>
  (label, call) =>
    new Promise((resolve, reject) => {
      const builder = () => call().then(resolve, reject);
      scheduler.scheduleSequence([{ label, builder }]);
    });

const finals = ['success', 'error', 'dead_letter'];

const handle = (message: Message) =>
  message.kind === 'crawl' ? life.handleCrawl(message) : life.handleDelivery(message);

test('messages in several hands at once come to one end, one result and one delivery', async () => {
  const copies = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 3, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      searches,
      copies,
      fc.boolean(),
      async (scheduler, search, times, isSwept) => {
        const { created_at, ...key } = await life.accept(search);
        const turns = turnsOf(scheduler);

        // What the first messages bring about comes as often as they did.
        for (const [round, count] of times.entries()) {
          const arrived = life.messages.splice(0);
          const hands = arrived.flatMap((message) => Array.from({ length: count }, () => message));
          await life.through(turns, () => {
            const sweeping = round === 0 && isSwept ? [life.sweepTasks(created_at + 1000)] : [];
            return scheduler.waitFor(Promise.all([...hands.map(handle), ...sweeping]));
          });
        }

        const row = await life.readRow(key);
        const written = life.history.get(key.id) ?? [];
        expect(row.status).toBe(search.kind === 'cut' ? 'error' : 'success');
        expect(written.filter((status) => finals.includes(status))).toEqual([row.status]);
        for (const [n, to] of written.slice(1).entries()) {
          expect(serpMoves).toContainEqual(expect.objectContaining({ from: written[n], to }));
        }
        // Each run is another, and what the task shows is all of the same, last one.
        const runs = life.claims.get(key.id) ?? [];
        expect(runs).toEqual(runs.map((_, n) => n + 1));
        expect(row.attempt).toBe(runs.length);
        expect(row.delivery).toBe(search.postback ? `msg_${key.user_id}_${key.id}_${row.attempt}` : null);
        if (!row.reused) {
          const own = `html/${row.html_folder}/${row.attempt}-`;
          expect(row.pages.filter(({ html }) => html !== '' && !html.startsWith(own))).toEqual([]);
        }
        expect(life.receiver.received).toHaveLength(search.postback ? 1 : 0);
        expect(row.delivery_state).toBe(search.postback ? 'delivered' : undefined);
      },
    ),
    { numRuns: 30, interruptAfterTimeLimit: 50_000 },
  );
}, 120_000);
