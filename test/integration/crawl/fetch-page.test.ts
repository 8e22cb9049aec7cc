/** FetchPage ends a search of one page, as ParseTask would, and leaves to ParseTask what it cannot end. */
import * as v from 'valibot';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { GoogleCrawlRequest } from '../../../lib/model/crawl-request.ts';
import type { PageKey, TaskKey } from '../../../lib/model/workflow.ts';
import type { SerpRow } from '../../../lib/store/task-row.ts';
import { accountOf } from '../account.ts';
import { startStores } from '../task/stores.ts';
import { fetchAlone } from './fetch-alone.ts';

// The stores read their names from the environment when they are imported.
const stores = await startStores();
const { dynamo } = await import('../../../lib/runtime/aws.ts');
const { s3 } = await import('../../../lib/runtime/s3.ts');
const { createV2Tasks } = await import('../../../lib/crawl/create.ts');
const { fetchPage } = await import('../../../lib/crawl/fetch-page.ts');
const { parseTask, readPages } = await import('../../../lib/crawl/parse-task.ts');
const { planPages } = await import('../../../lib/crawl/plan-pages.ts');
const { readResult } = await import('../../../lib/store/results.ts');
const { moveRow, readRow } = await import('../../../lib/store/tasks.ts');
afterAll(() => stores.stop());

type Call = { name: string; table: unknown; status: unknown };

/** The calls to the stores in the test so far: the command, its table, and the state that it writes. */
const calls: Call[] = [];
/** Breaks the calls that it returns an error for: before they are made, or after. */
let broken: { of: (call: Call) => boolean; error: Error; isAfter?: boolean } | undefined;
/** The calls that are made twice, as by an SDK that has lost the first answer. */
let repeated: ((call: Call) => boolean) | undefined;
const watched = async <T>(call: Call, make: () => Promise<T>): Promise<T> => {
  calls.push(call);
  const fault = broken?.of(call) ? broken : undefined;
  if (fault && !fault.isAfter) throw fault.error;
  if (repeated?.(call)) await make();
  const answer = await make();
  if (fault) throw fault.error;
  return answer;
};
const watching = { step: 'initialize', name: 'watching' } as const;
dynamo.middlewareStack.add(
  (next, { commandName = '' }) =>
    (args) => {
      const { TableName: table, ExpressionAttributeValues: values = {} } = args.input as {
        TableName?: string;
        ExpressionAttributeValues?: Record<string, unknown>;
      };
      return watched({ name: commandName, table, status: values[':status'] }, () => next(args));
    },
  watching,
);
s3.middlewareStack.add(
  (next, { commandName = '' }) =>
    (args) =>
      watched({ name: commandName, table: undefined, status: undefined }, () => next(args)),
  watching,
);
const timesOf = (name: string): number => calls.filter((call) => call.name === name).length;

const written: string[] = [];
/** The log lines of the test so far that have this message. */
const logged = (message: string) =>
  written.map((line) => JSON.parse(line)).filter((line) => line.message === message);

beforeEach(() => {
  broken = undefined;
  repeated = undefined;
  calls.length = 0;
  written.length = 0;
  vi.spyOn(process.stdout, 'write').mockImplementation((line) => written.push(String(line)) > 0);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

let searches = 0;

/** A claimed search of one page with a webhook, and its page. */
const givenRun = async (fields: Record<string, unknown> = {}, kind = ''): Promise<PageKey> => {
  const request = v.parse(GoogleCrawlRequest, {
    keyword: `${kind}mountain lakes ${++searches}`,
    location_name: 'Canada',
    iso_code: 'CA',
    postback_url: 'https://receiver.example/hook',
    ...fields,
  });
  const [task] = await createV2Tasks(accountOf(1), [request], 'https://here.example');
  const { batch } = await planPages({ user_id: 1, id: task?.id ?? 0 });
  const [page] = batch;
  if (!page) throw new Error('No page is planned');
  calls.length = 0;
  written.length = 0;
  return page;
};

const rowOf = async ({ user_id, id }: TaskKey): Promise<SerpRow> => {
  const row = await readRow(user_id, id, 0);
  if (!row) throw new Error('The row is gone');
  return row;
};

const deliveryOf = ({ user_id, id, attempt }: PageKey) => `msg_${user_id}_${id}_${attempt}`;

const finalOf = ({ user_id, id, attempt, ...page }: PageKey) => ({
  user_id,
  id,
  attempt,
  outcome: 'final',
  delivery: deliveryOf({ user_id, id, attempt, ...page }),
  met: 'open',
});

const isWrite = (state: string) => (call: Call) => call.status === state;

const throttled = Object.assign(new Error('slow down'), { name: 'ThrottlingException' });

describe('a search of one page', () => {
  test('ends with its fetch: its row is read once, and its page is not read from the bucket', async () => {
    const key = await givenRun();

    const page = await fetchPage(key);

    expect(page).toMatchObject({ ...key, outcome: 'fetched', verdict: 'results', fetches: 1 });
    expect(page.ended).toEqual(finalOf(key));
    expect(calls.map(({ status }) => status).filter(Boolean)).toEqual(['parsing', 'success']);
    expect([timesOf('GetObjectCommand'), timesOf('GetItemCommand')]).toEqual([0, 1]);
    expect(logged('page fetched')).toHaveLength(1);
    expect(logged('task ended')).toMatchObject([{ status: 'success', TaskSucceeded: 1, EndedInTime: 1 }]);
  });

  test.each<[links: string, fields: Record<string, unknown>]>([
    ['always', { domain: 'tea.example' }],
    ['always', {}],
    ['never', {}],
    ['tracking', { domain: 'tea.example', device: 'mobile' }],
  ])('has the result that its stored page gives: links are looked up %s, %o', async (links, fields) => {
    vi.stubEnv('RESOLVE_LINKS', links);
    for (let n = 0; n < 5; n++) {
      const key = await givenRun(fields);
      expect((await fetchPage(key)).ended).toEqual(finalOf(key));

      const row = await rowOf(key);
      const again = await readPages({ ...row, complete: (row.failure ?? null) === null });
      expect(await readResult(row)).toEqual(JSON.parse(JSON.stringify(again.stored)));
      expect([row.complete, row.findings]).toEqual([again.row.complete, again.row.findings]);
    }
  });

  test('has the row and the result that ParseTask gives it', async () => {
    const fields = { keyword: 'lakes of both steps', frequency: 0 };
    const [one, other] = [await givenRun(fields), await givenRun(fields)];
    await fetchPage(one);
    await parseTask(other, [await fetchAlone(other)]);

    const [ended, parsed] = [await rowOf(one), await rowOf(other)];
    expect(await readResult(ended)).toEqual(await readResult(parsed));
    const statesOf = ({ pages }: SerpRow) => pages.map(({ html, url, ...page }) => page);
    expect(statesOf(ended)).toEqual(statesOf(parsed));
    const ofTask = { id: 0, partition: '', delivery: '', unfinished: '', html_folder: '', pages: [] };
    const ofTime = {
      created_at: 0,
      crawled_at: 0,
      succeed_at: 0,
      due_at: 0,
      lease_until: 0,
      ttl: 0,
      claim: '',
    };
    expect({ ...ended, ...ofTask, ...ofTime }).toEqual({ ...parsed, ...ofTask, ...ofTime });
  });

  test('without results ends too', async () => {
    const key = await givenRun({}, 'empty: ');

    expect(await fetchPage(key)).toMatchObject({ verdict: 'empty', ended: finalOf(key) });
    expect(await rowOf(key)).toMatchObject({ status: 'success', nothing_found: true });
  });

  test('looks up no link if RESOLVE_LINKS is never, and the hosts that the page shows still rank', async () => {
    const fields = { keyword: 'news of hidden lakes', frequency: 0 };
    const organicOf = async (key: TaskKey) =>
      (await readResult(await rowOf(key)))?.result?.left?.filter(({ type }) => type === 'organic') ?? [];
    const askedOf = () => logged('task ended').map(({ LinksAsked = 0 }) => LinksAsked > 0);
    const looked = await givenRun(fields);
    await fetchPage(looked);
    expect(askedOf()).toEqual([true]);
    vi.stubEnv('RESOLVE_LINKS', 'never');
    const raw = await givenRun(fields);
    await fetchPage(raw);

    expect(askedOf()).toEqual([false]);
    const organic = await organicOf(raw);
    expect(new Set(organic.map(({ url_resolution }) => url_resolution))).toEqual(new Set(['opaque']));
    const domain = organic[2]?.domain ?? '';
    const tracking = await givenRun({ ...fields, domain });
    await fetchPage(tracking);
    expect(askedOf()).toEqual([false]);
    expect(await rowOf(tracking)).toMatchObject({ status: 'success' });
    expect(await readResult(await rowOf(tracking))).toMatchObject({
      tracking: { [domain]: { type: 'owner', results: { organic: { type: 'organic' } } } },
    });
  });

  test('that gives no valid result ends in an error', async () => {
    const keyword = 'lakes behind hidden links';
    const known = await givenRun({ keyword });
    await fetchPage(known);
    const { left = [] } = (await readResult(await rowOf(known)))?.result ?? {};
    const { host } = new URL(left.find(({ type }) => type === 'organic')?.url ?? '');
    vi.stubEnv('RESOLVE_LINKS', 'never');
    const key = await givenRun({ keyword, frequency: 0, domain: `${host}/nowhere` });

    const { ended } = await fetchPage(key);

    const row = await rowOf(key);
    expect(ended).toEqual(finalOf(key));
    expect(row).toMatchObject({ status: 'error', error_message: expect.stringMatching(/^unresolved: /) });
  });
});

describe('a step that runs again', () => {
  test('after it ended the task gives the same answer, and neither asks the engine nor writes', async () => {
    const key = await givenRun();
    const { ended } = await fetchPage(key);
    const row = await rowOf(key);
    calls.length = 0;

    const again = await fetchPage(key);

    expect(again.ended).toEqual(ended);
    expect(again).toMatchObject({ outcome: 'fetched', verdict: 'results', html: row.pages[0]?.html });
    expect(calls.map(({ name }) => name)).toEqual(['GetItemCommand']);
    expect(await rowOf(key)).toEqual(row);
    expect([logged('page fetched').length, logged('task ended').length]).toEqual([1, 1]);
  });

  test('in a machine of the release before, which calls ParseTask all the same, ends the run alike', async () => {
    const key = await givenRun();
    const page = await fetchPage(key);
    const row = await rowOf(key);

    expect(await parseTask(key, [page])).toEqual(page.ended);
    expect(await rowOf(key)).toEqual(row);
    expect(logged('task ended')).toHaveLength(1);
  });

  test('after its webhook was begun names no delivery', async () => {
    const key = await givenRun();
    await fetchPage(key);
    await moveRow(key, { from: ['success'] }, { delivery_attempt: 1 });

    expect((await fetchPage(key)).ended).toEqual({ ...finalOf(key), delivery: null });
    expect(await parseTask(key, [])).toMatchObject({ outcome: 'final', delivery: null });
  });

  test('after it recorded the page leaves the task to ParseTask, without another fetch', async () => {
    const key = await givenRun();
    broken = { of: isWrite('success'), error: throttled };
    await fetchPage(key);
    broken = undefined;
    calls.length = 0;

    const page = await fetchPage(key);

    expect(page).toMatchObject({ outcome: 'fetched', verdict: 'results', fetches: 1 });
    expect(page.ended).toBeUndefined();
    expect(calls.map(({ name }) => name)).toEqual(['GetItemCommand']);
    expect(await parseTask(key, [page])).toEqual(finalOf(key));
    expect(await rowOf(key)).toMatchObject({ status: 'success', pages: [{ status: 'parsed' }] });
    expect([logged('page fetched').length, logged('task ended').length]).toEqual([1, 1]);
  });

  test('after the deadline of its task ended it fetches nothing', async () => {
    const key = await givenRun();
    const pages = (await rowOf(key)).pages.map((page) => ({ ...page, status: 'failed' as const }));
    await moveRow(key, { from: ['crawling'] }, { status: 'error', error_message: 'timeout: late', pages });

    const page = await fetchPage(key);

    expect(page).toMatchObject({ outcome: 'failed', verdict: null });
    expect(page.ended).toBeUndefined();
    expect(logged('page fetched')).toEqual([]);
    expect(await parseTask(key, [page])).toMatchObject({ outcome: 'final', met: null });
    expect(await rowOf(key)).toMatchObject({ status: 'error', error_message: 'timeout: late' });
  });
});

describe('a write whose answer is lost, and that the SDK repeats', () => {
  test.each(['parsing', 'success'])(
    'of the state %s: the task ends, in FetchPage and in ParseTask',
    async (state) => {
      const [one, other] = [await givenRun(), await givenRun()];
      const fetched = await fetchAlone(other);
      repeated = isWrite(state);

      expect((await fetchPage(one)).ended).toEqual(finalOf(one));
      expect(await parseTask(other, [fetched])).toEqual(finalOf(other));

      for (const key of [one, other]) {
        const row = await rowOf(key);
        expect(row).toMatchObject({ status: 'success', delivery: deliveryOf(key), delivery_attempt: 0 });
        expect((await readResult(row))?.result.left.length).toBeGreaterThan(5);
      }
    },
  );

  test.each(['parsing', 'success'])(
    'of the state %s, and that another run made: the step is stale',
    async (state) => {
      const key = await givenRun();
      const fetched = await fetchAlone(key);
      broken = { of: isWrite(state), error: throttled };
      await expect(parseTask(key, [fetched])).rejects.toThrow('slow down');
      broken = undefined;
      const row = await rowOf(key);
      await moveRow(key, { from: [row.status] }, { attempt: key.attempt + 1 });

      expect(await parseTask(key, [fetched], undefined, { row })).toMatchObject({
        outcome: 'stale',
        delivery: null,
      });
      expect(await rowOf(key)).toMatchObject({ status: row.status, attempt: key.attempt + 1 });
    },
  );
});

describe('what the step leaves to ParseTask', () => {
  const isResult = ({ name, table }: Call) => name === 'PutItemCommand' && table === process.env.TASKS_TABLE;
  const lost = Object.assign(new Error('socket hang up'), { name: 'TimeoutError' });

  test.each<[what: string, fault: NonNullable<typeof broken>, state: string, refusals: number]>([
    ['the record of the page is refused', { of: isWrite('parsing'), error: throttled }, 'crawling', 1],
    ['the result is refused', { of: isResult, error: throttled }, 'parsing', 1],
    ['the result breaks', { of: isResult, error: lost }, 'parsing', 0],
    ['the last write is refused', { of: isWrite('success'), error: throttled }, 'parsing', 1],
    ['the last write breaks', { of: isWrite('success'), error: lost }, 'parsing', 0],
    [
      'the answer to the record is lost',
      { of: isWrite('parsing'), error: lost, isAfter: true },
      'parsing',
      0,
    ],
    [
      'the answer to the last write is lost',
      { of: isWrite('success'), error: lost, isAfter: true },
      'success',
      0,
    ],
  ])('%s: the page is fetched, and ParseTask ends the task', async (_, fault, state, refusals) => {
    const key = await givenRun();
    broken = fault;

    const page = await fetchPage(key);

    broken = undefined;
    expect(page).toMatchObject({ outcome: 'fetched', verdict: 'results' });
    expect(page.ended).toBeUndefined();
    expect((await rowOf(key)).status).toBe(state);
    expect(logged('AWS refused')).toHaveLength(refusals);
    expect(logged('task is ended by a separate call')).toHaveLength(1 - refusals);
    expect(await parseTask(key, [page])).toEqual(finalOf(key));
    const row = await rowOf(key);
    expect(row).toMatchObject({ status: 'success', delivery: deliveryOf(key), delivery_attempt: 0 });
    expect((await readResult(row))?.result.left.length).toBeGreaterThan(5);
  });

  test.each<[kind: string, outcome: string]>([
    ['captcha: ', 'blocked'],
    ['http_429: ', 'throttled'],
    ['http_500: ', 'failed'],
  ])('a page of %sthat is %s', async (kind, outcome) => {
    const key = await givenRun({}, kind);

    const page = await fetchPage(key);

    expect(page).toMatchObject({ outcome });
    expect(page.ended).toBeUndefined();
    expect(await rowOf(key)).toMatchObject({ status: 'crawling' });
  });

  test('the first of several pages', async () => {
    const key = await givenRun({ depth: 20 });

    const page = await fetchPage(key);

    expect(page).toMatchObject({ outcome: 'fetched', has_next: true });
    expect(page.ended).toBeUndefined();
    expect(await rowOf(key)).toMatchObject({ status: 'crawling' });
  });

  test('a page that took longer than 20 s', async () => {
    const key = await givenRun();
    let times = 0;

    const page = await fetchPage(key, () => (times++ === 0 ? 0 : 20_001));

    expect(page).toMatchObject({ outcome: 'fetched' });
    expect(page.ended).toBeUndefined();
    expect(await parseTask(key, [page])).toEqual(finalOf(key));
  });

  test('a task that another run has claimed since', async () => {
    const key = await givenRun();
    broken = { of: isWrite('parsing'), error: throttled };
    const page = await fetchPage(key);
    broken = undefined;
    await moveRow(key, { from: ['crawling'] }, { attempt: key.attempt + 1 });

    expect(await parseTask(key, [page])).toMatchObject({ outcome: 'stale', delivery: null });
    expect(await fetchPage(key)).toMatchObject({ outcome: 'failed', fetches: 0 });
    expect(await rowOf(key)).toMatchObject({ status: 'crawling', attempt: key.attempt + 1 });
  });
});
