/**
 * All work on a task, from the POST to its webhook, has one trace id, which is in every log line about the
 * task. Tasks in one batch keep their own traces, and a task that the sweeper queues again after a crash
 * keeps its trace.
 */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clientOf } from '../client.ts';
import { startReceiver } from '../receiver.ts';
import { startService } from '../service.ts';
import { patienceMs } from '../until.ts';

type Line = Partial<Record<'message' | 'function' | 'request_id' | 'trace_id', string>> & {
  user_id?: number;
  task_id?: number;
  LinksAsked?: number;
  LinksFound?: number;
};

const linesOf = (dataDir: string): Line[] =>
  readFileSync(join(dataDir, 'service.log'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));

/** On a busy machine, calls of the stores are slow, and logged. */
const isExpected = ({ message }: Line): boolean => message !== 'slow AWS call';

const given = (trace: string) => ({ 'x-amzn-trace-id': `Root=${trace};Sampled=1` });
const traceNumber = (n: number) => `1-65a1b2c3-${String(n).padStart(24, '0')}`;
const count = (paths: string[], path: string) => paths.filter((each) => each === path).length;
const search = (fields: object) =>
  JSON.stringify({ keyword: 'coffee', location_name: 'L', iso_code: 'US', frequency: 0, ...fields });

test.concurrent('from the POST to the last webhook attempt, every log line of a task has the trace of its request', async () => {
  const service = await startService({ CLOCK_RATE: '120' });
  // The receiver accepts each webhook at its second attempt.
  const seen: string[] = [];
  const receiver = await startReceiver((_, path) =>
    seen.push(path) > 0 && count(seen, path) > 1 ? 200 : 503,
  );
  try {
    const client = clientOf(service);
    const posted = await Promise.all(
      Array.from({ length: 12 }, async (_, n) => {
        const body = search({
          keyword: `opaque_links: coffee ${n}`,
          depth: 20,
          postback_url: `${receiver.url}/${n}`,
        });
        const reply = await client.call('/api/v2/serp/crawl', {
          method: 'POST',
          body,
          headers: given(traceNumber(n)),
        });
        expect(reply.headers.get('x-amzn-trace-id')).toBe(`Root=${traceNumber(n)}`);
        return (await reply.json()) as { id: number };
      }),
    );
    const attempts = () => linesOf(service.dataDir).filter(({ message }) => message === 'delivery attempt');
    await expect.poll(attempts, { timeout: patienceMs }).toHaveLength(24);
    const lines = linesOf(service.dataDir);

    for (const [n, { id }] of posted.entries()) {
      const about = lines.filter(({ task_id }) => task_id === id);
      expect(about.filter(({ trace_id }) => trace_id !== traceNumber(n))).toEqual([]);
      expect(about.filter((line) => !line.function || !line.request_id || !line.user_id)).toEqual([]);
      expect(new Set(about.filter(isExpected).map((line) => line.message))).toEqual(
        new Set(['tasks accepted', 'page fetched', 'task ended', 'delivery attempt']),
      );
      expect(about.filter(({ message }) => message === 'page fetched')).toHaveLength(2);
      expect(about.filter(({ message }) => message === 'delivery attempt')).toHaveLength(2);
    }
    // The pages have hidden links, and the last line of a task says how many were looked up.
    const ends = lines.filter(({ message }) => message === 'task ended');
    expect(ends.map(({ LinksAsked = 0, LinksFound }) => LinksAsked > 0 && LinksFound === 0)).toEqual(
      posted.map(() => true),
    );
    // The only line of the trace that does not name the task is the gateway's own line about the POST.
    const first = lines.filter(({ trace_id }) => trace_id === traceNumber(0));
    expect(first.filter((line) => isExpected(line) && line.task_id === undefined)).toMatchObject([
      { method: 'POST', status: '200' },
    ]);
  } finally {
    await receiver.stop();
    await service.stop();
  }
});

test.concurrent('a task that was never queued keeps its trace when the sweeper queues it', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'e2e-'));
  try {
    const crashing = await startService({ CRASH_AT: 'before-queue-tasks' }, dataDir);
    const ended = new Promise((resolve) => crashing.child.once('exit', resolve));
    const post = { method: 'POST', body: search({}), headers: given(traceNumber(7)) };
    await expect(clientOf(crashing).call('/api/v2/serp/crawl', post)).rejects.toThrow();
    await ended;

    const service = await startService({}, dataDir);
    const ends = () => linesOf(dataDir).filter(({ message }) => message === 'task ended');
    await expect.poll(ends, { timeout: patienceMs }).toMatchObject([{ trace_id: traceNumber(7) }]);
    await service.stop();

    const about = linesOf(dataDir).filter(({ task_id }) => task_id === ends()[0]?.task_id);
    expect(about.find(isExpected)?.message).toBe('task taken up again');
    expect(new Set(about.map(({ trace_id }) => trace_id))).toEqual(new Set([traceNumber(7)]));
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});
