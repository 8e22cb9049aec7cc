/**
 * All work on a task, from the POST to its webhook, has one trace id, which is in every log line about the
 * task. Tasks in one batch keep their own traces.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clientOf } from '../client.ts';
import { sharedService } from '../injected-service.ts';
import { startReceiver } from '../receiver.ts';
import { until } from '../until.ts';

const service = sharedService();

type Line = Partial<Record<'message' | 'function' | 'request_id' | 'trace_id', string>> & {
  user_id?: number;
  task_id?: number;
  LinksAsked?: number;
  LinksFound?: number;
};

/** The lines of these tasks, and of the traces of this file. */
const linesOf = (ids: readonly number[]): Line[] => {
  const marks = [traces, ...ids.map((id) => `"task_id":${id}`)];
  return readFileSync(join(service.dataDir ?? '', 'service.log'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{') && marks.some((mark) => line.includes(mark)))
    .map((line) => JSON.parse(line));
};

/** On a busy machine, calls of the stores are slow, and logged. */
const isExpected = ({ message }: Line): boolean => message !== 'slow AWS call';

const given = (trace: string) => ({ 'x-amzn-trace-id': `Root=${trace};Sampled=1` });
const traces = '1-65a1b2c3-';
const traceNumber = (n: number) => `${traces}${String(n).padStart(24, '0')}`;
const count = (paths: string[], path: string) => paths.filter((each) => each === path).length;
const search = (fields: object) =>
  JSON.stringify({ keyword: 'coffee', location_name: 'L', iso_code: 'US', frequency: 0, ...fields });

test('from the POST to the last webhook attempt, every log line of a task has the trace of its request', async () => {
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
    const ids = posted.map(({ id }) => id);
    await receiver.until(24);
    let lines: Line[] = [];
    const attempts = () => lines.filter(({ message }) => message === 'delivery attempt').length;
    // A line is written after its attempt.
    await until(
      () => {
        lines = linesOf(ids);
        return attempts() === 24;
      },
      () => `the log has ${attempts()} of 24 attempts`,
    );

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
  }
});
