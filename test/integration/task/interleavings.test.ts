/**
 * Concurrent handlers of the same messages: each message is received one to five times, and the property
 * picks the order of all calls to the stores. This finds races between a read and the write that depends on
 * it, which handling one message at a time cannot show.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { serpMoves } from '../../../lib/task/status.ts';
import { boundedTo, propertyTimeoutMs, searches } from './arbitraries.ts';
import { type Gate, type Message, startLife } from './life.ts';

const life = await startLife();

beforeAll(() => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterAll(() => life.stop());

/** Makes one call at a time. The scheduler picks the next one from the waiting calls. */
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

test(
  'concurrent handlers of the same messages give one final state, one result and one delivery',
  async () => {
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

          // Each round handles the messages of the round before it, each of them `count` times.
          for (const [round, count] of times.entries()) {
            const messages = life.messages.splice(0);
            const received = messages.flatMap((message) => Array.from({ length: count }, () => message));
            await life.through(turns, () => {
              const sweeping = round === 0 && isSwept ? [life.sweepTasks(created_at + 1000)] : [];
              return scheduler.waitFor(Promise.all([...received.map(handle), ...sweeping]));
            });
          }

          const row = await life.readRow(key);
          const written = life.history.get(key.id) ?? [];
          expect(row.status).toBe(search.kind === 'cut' ? 'error' : 'success');
          expect(written.filter((status) => finals.includes(status))).toEqual([row.status]);
          for (const [n, to] of written.slice(1).entries()) {
            expect(serpMoves).toContainEqual(expect.objectContaining({ from: written[n], to }));
          }
          // Each run has its own number, and all fields of the task are of the last run.
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
      boundedTo(25),
    );
  },
  propertyTimeoutMs,
);
