/** Deliveries that a crash interrupts before the receiver has answered. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { attemptSeconds, lateSeconds } from '../../../lib/postback/policy.ts';
import { clientOf } from '../client.ts';
import { startMisbehaving } from '../misbehaving-receiver.ts';
import { startService } from '../service.ts';
import { patienceMs } from '../until.ts';
import { movedClock } from './moved-clock.ts';

test('an attempt that a crash cuts off is followed by one more after the restart', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'receivers-'));
  const first = await startService({ CLOCK_RATE: '120' }, dataDir);
  // The crash interrupts a first attempt, which a queue message started, and a second one, of a machine that
  // ran in memory only.
  let answered = 0;
  const refusing = await startMisbehaving({
    talk: (socket) => socket.end('HTTP/1.1 500 Internal Server Error\r\ncontent-length: 0\r\n\r\n'),
    again: () => {},
    onAccept: () => answered++,
  });
  const hanging = await startMisbehaving({ talk: () => {}, onAccept: () => answered++ });
  // The searches of both deliveries reuse this result, so that they hang at the same time, however long a
  // crawl takes.
  await clientOf(first).searched({ keyword: 'lake cabins' });
  const tasks = await Promise.all(
    [hanging, refusing].map(({ url }) =>
      clientOf(first).searched({ keyword: 'lake cabins', postback_url: url }),
    ),
  );
  await vi.waitFor(
    () => expect([hanging.connections.length, refusing.connections.length]).toEqual([1, 2]),
    patienceMs,
  );
  const killed = new Promise((resolve) => first.child.once('exit', resolve));
  first.child.kill('SIGKILL');
  await killed;

  // The leases of both attempts have ended, and the next attempts are minutes away.
  const clock = movedClock(dataDir);
  clock.set(attemptSeconds + lateSeconds + 1);
  const second = await startService({ CLOCK_RATE: '10', ...clock.environment }, dataDir);
  try {
    await vi.waitFor(() => expect(answered).toBe(2), patienceMs);
    // Time for one too many.
    await new Promise((resolve) => setTimeout(resolve, 2000));

    expect([hanging.connections.length, refusing.connections.length]).toEqual([2, 3]);
    const after = await Promise.all(tasks.map(({ id }) => clientOf(second).read(id)));
    expect(after.map((task) => task.postback_retries_count)).toEqual([1, 2]);
  } finally {
    refusing.stop();
    hanging.stop();
    await second.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
});
