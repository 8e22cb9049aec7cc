/** A load on figures that are easy to calculate with. */
import { expect, test } from 'vitest';
import { defaultValues } from '../../../infra/cost/assumptions.ts';
import { monthDays } from '../../../infra/cost/bill.ts';
import { type Figures, readFigures } from '../../../infra/cost/figures.ts';
import { kinds, nameOf } from '../../../infra/cost/kinds.ts';
import { modelOf } from '../../../infra/cost/load.ts';
import { reachedAt } from '../../../infra/cost/load-limits.ts';
import { checkLoad, defaultLoad, type Load } from '../../../infra/cost/load-options.ts';
import { slowestOf } from '../../../infra/cost/mean-search.ts';
import { firstLimit, inWords, modelLines } from '../../../infra/cost/scale.ts';

const serp = 'functions/api/serp.ts';
const fetchPage = 'functions/crawl/fetch-page.ts';

/** Each search is two requests to the API, one page. Each call works for 10 ms on a whole core. */
const counts = {
  requests: 2,
  [`calls ${serp}`]: 2,
  [`messages ${serp}`]: 2,
  [`cpu ${serp}`]: 20,
  'calls EXPRESS': 1,
  [`calls ${fetchPage}`]: 1,
  [`messages ${fetchPage}`]: 1,
  [`cpu ${fetchPage}`]: 10,
  'write Tasks/unfinished': 2,
  'S3 write': 1,
};

const figures: Figures = {
  functions: [serp, fetchPage].map((entry) => ({
    entry,
    memoryMb: 1769,
    architecture: 'arm64',
    isReported: false,
  })),
  month: [{ what: 'dashboards', count: 2, price: 3 }],
  searches: Object.fromEntries(
    kinds.map((kind) => [nameOf(kind), { batchOf: 10, alone: counts, batch: counts }]),
  ),
  events: {
    waiting: counts,
    read: { requests: 1 },
    page: { requests: 1 },
    volumes: { requests: 1 },
    added: { 'write Tracking': 1 },
    tracked: counts,
  },
};

/** Nothing waits and nothing starts, and a real page takes no more work than one of the sandbox. */
const values = {
  ...defaultValues,
  'page-seconds': 0.19,
  'link-seconds': 0,
  'receiver-seconds': 0,
  'fetch-work': 0,
  'parse-work': 0,
  'page-kilobytes': 0,
  'step-seconds': 0,
  'cold-share': 0,
  'secret-reads': 0,
  sampled: 0,
};

/** A search a second on the average, and ten in the busiest second. Nothing of our own limits it. */
const onePerSecond: Load = {
  ...defaultLoad,
  searches: 30.4 * 86_400,
  peak: 10,
  browser: 0,
  webhook: 0,
  deep: 0,
  failing: 0,
  rate: 0,
  'rate-limit': 0,
};

const limitOf = (load: Load, what: string) => {
  const found = modelOf(figures, load, values).limits.find((limit) => limit.what === what);
  if (!found) throw new Error(`There is no limit ${what}`);
  return found;
};

test.each<[string, Partial<Load>, number, number]>([
  // Ten searches with two requests each.
  ['requests per second, throttle of the stage', {}, 20, 1000],
  ['requests per second, throttle of the stage', { concurrency: 10 }, 20, 50],
  ['requests per second, API Gateway', {}, 20, 10_000],
  // 20 requests × 60 seconds, for 100 users.
  ['requests per minute of a user', { 'rate-limit': 2000 }, 12, 2000],
  ['pages per second of the engine', { rate: 4 }, 10, 4],
  // Twenty calls of 10 ms.
  ['functions at a time, reserved for the API', {}, 0.2, 100],
  // Ten pages of 10 + 190 ms, in what the API leaves of 1,000.
  ['functions at a time, all but those of the API', {}, 2, 780],
  // With 10 functions nothing is reserved.
  ['functions at a time, all', { concurrency: 10 }, 2.2, 10],
  ['calls of functions per second', {}, 30, 10_000],
  // All runs take 0.2 s, so none is slower than the others of its batch: 125 consumers × 10 places / 0.2 s.
  ['runs started per second, by the crawl consumers', {}, 10, 6250],
  ['runs started per second, by the crawl consumers', { concurrency: 50_000 }, 10, 50_000],
  // Ten runs a second of 0.2 s, of which half are waited for.
  ['requests that wait at a time, of all users', { held: 0.5 }, 1, 50],
  ['requests that wait at a time, of one user', { held: 0.5, users: 4 }, 0.25, 10],
  // Each of them keeps a function of the API, besides the twenty calls of 10 ms.
  ['functions at a time, reserved for the API', { held: 0.5 }, 1.2, 100],
  ['functions at a time, all', { concurrency: 10, held: 0.5 }, 3.2, 10],
  ['functions at a time, all but those of the API', { held: 0.5 }, 2, 780],
  ['writes per second, one partition of unfinished work', {}, 20 / 64, 1000],
  ['objects written per second, S3', {}, 10, 3500],
])('%s, with %o', (what, changes, used, allowed) => {
  const limit = limitOf({ ...onePerSecond, ...changes }, what);

  expect(limit.used).toBeCloseTo(used, 9);
  expect(limit.allowed).toBe(allowed);
});

test('the rate of the engine is the first limit if it allows fewer pages than the load needs', () => {
  const load = { ...onePerSecond, rate: 4 };
  const model = modelOf(figures, load, values);

  expect(model.limits[0]?.what).toBe('pages per second of the engine');
  // 2,626,560 searches a month need ten pages a second; four allow 40 % of them.
  expect(firstLimit(load, model)).toBe(
    'This load exceeds one limit. The first is pages per second of the engine, at 1.1 million searches a month. ' +
      'Raise GOOGLE_RATE. Until then tasks wait, until their deadline at most.',
  );
});

test('a request that waits for its search costs the time of its function', () => {
  const lambdaOf = (held: number) =>
    modelOf(figures, { ...onePerSecond, held }, values).month.byService.find(
      ({ service }) => service === 'Lambda',
    )?.dollars ?? 0;
  // Half of the searches, 0.2 s each, of 1,769 MB on arm64.
  const more = onePerSecond.searches * 0.5 * 0.2 * (1769 / 1024) * 0.0000133334;

  expect(lambdaOf(0.5) - lambdaOf(0)).toBeCloseTo(more, 6);
});

test('in a new account, the requests of the API are the first limit of a load without a slow engine', () => {
  const load = { ...onePerSecond, concurrency: 10 };
  const [first] = modelOf(figures, load, values).limits;

  // 20 of 50 requests per second, which is more than 2.2 of 10 functions and 2 of 20 runs.
  expect(first).toMatchObject({ what: 'requests per second, throttle of the stage', used: 20, allowed: 50 });
  expect(first && reachedAt(load, first)).toBeCloseTo(30.4 * 86_400 * 2.5, 3);
});

test('no limit of a table is reached by 2,000 searches a second, with large quotas', () => {
  const load = { ...onePerSecond, searches: onePerSecond.searches * 200, concurrency: 100_000 };
  const { limits } = modelOf(figures, load, values);
  const exceeded = limits.filter(({ used, allowed }) => used > allowed).map(({ what }) => what);

  // The row of an engine is divided at a high rate. The gateway has 4,000 of 10,000 requests.
  expect(exceeded).toEqual([]);
});

test('use and cost grow in proportion to the searches, and the fixed cost does not', () => {
  const small = modelOf(figures, onePerSecond, values);
  const large = modelOf(figures, { ...onePerSecond, searches: onePerSecond.searches * 7 }, values);
  const usedOf = (model: typeof small) =>
    new Map(model.limits.filter(({ isFixed }) => !isFixed).map(({ what, used }) => [what, used]));

  expect(large.month.searches).toBeCloseTo(small.month.searches * 7, 6);
  expect([small.month.fixed, large.month.fixed]).toEqual([6, 6]);
  for (const [what, used] of usedOf(small)) expect(usedOf(large).get(what)).toBeCloseTo(used * 7, 6);
});

test('a month costs what its searches cost', () => {
  const { byService } = modelOf(figures, onePerSecond, values).month;
  const gateway = byService.find(({ service }) => service === 'API Gateway');

  // 2,626,560 searches with two requests each, at 3.50 dollars a million.
  expect(gateway?.dollars).toBeCloseTo(2.62656 * 2 * 3.5, 6);
});

test('further reads and opened pages add requests and dollars', () => {
  const load = { ...onePerSecond, reads: 1, opened: 0.5 };
  const [plain, more] = [onePerSecond, load].map((each) => modelOf(figures, each, values).month.searches);

  expect(limitOf(load, 'requests per second, API Gateway').used).toBeCloseTo(35, 9);
  // 1.5 requests more for each search, and half a GET of S3.
  expect((more ?? 0) - (plain ?? 0)).toBeCloseTo(2.62656 * (1.5 * 3.5 + 0.5 * 0.4), 6);
});

test('marks the first limit, and says what to raise', () => {
  const lines = modelLines(figures, { ...onePerSecond, rate: 4 }, values);
  const marked = lines.filter((line) => line.startsWith('>'));

  expect(marked).toHaveLength(1);
  expect(marked[0]).toMatch(
    /^> {2}pages per second of the engine +10\.0 +4\.0 +250 % +1\.1 million +Raise GOOGLE_RATE\. Until/,
  );
});

test.each([
  [950, '950'],
  [456_789, '460,000'],
  [12_345_678, '12 million'],
  [5_840_000_000, '5.8 billion'],
  [Number.POSITIVE_INFINITY, 'any number'],
])('writes %f searches as %s', (searches, text) => {
  expect(inWords(searches)).toBe(text);
});

test.each<[Partial<Load>, string]>([
  [{ searches: 0 }, '--searches must be a number above 0'],
  [{ users: 0 }, '--users must be a number above 0'],
  [{ webhook: 1.5 }, '--webhook must be a share from 0 to 1'],
])('refuses %o', (changes, message) => {
  expect(() => checkLoad({ ...defaultLoad, ...changes })).toThrow(message);
  expect(checkLoad(defaultLoad)).toBe(defaultLoad);
});

test('a limit that the load does not touch is never reached', () => {
  expect(reachedAt(onePerSecond, limitOf(onePerSecond, 'starts of STANDARD machines per second'))).toBe(
    Number.POSITIVE_INFINITY,
  );
});

test('names the cost of tracked keywords, what the planners begin in a minute, and the first limit', () => {
  const linesOf = (tracked: number, rate: number) =>
    modelLines(figures, { ...onePerSecond, tracked, rate }, values).join('\n');
  // Each of these searches has one page, and is due once a day.
  expect(linesOf(100_000, 0.01)).toContain('first limit is pages per second of the engine, at 860 keywords');
  expect(linesOf(100_000, 0.01)).toContain('The planners begin 150,000 searches a minute');
  const costOf = (tracked: number): number =>
    Number(/cost \$(\S+) a month\. The planners/.exec(linesOf(tracked, 1))?.[1]?.replaceAll(',', ''));
  expect(costOf(100_000_000) / costOf(10_000_000)).toBeCloseTo(10, 2);
});

test('the slowest of a batch is expected as often as one of its runs is that slow', () => {
  // Of three runs, 1 in 8 have no slow one: 1 s. The others take 3 s.
  expect(
    slowestOf(
      [
        { share: 0.5, seconds: 3 },
        { share: 0.5, seconds: 1 },
      ],
      3,
    ),
  ).toBeCloseTo(1 / 8 + (7 / 8) * 3, 9);
  expect(slowestOf([{ share: 0.2, seconds: 4 }], 10)).toBeCloseTo(4, 9);
});

test('a consumer is also busy with the preparation of its batch: the processor for each message, the requests once', () => {
  const starter = 'functions/crawl/start-crawl.ts';
  const own = { [`calls ${starter}`]: 1, [`messages ${starter}`]: 1, [`cpu ${starter}`]: 10 };
  const asks = { [`asks ${starter} DynamoDB`]: 20 };
  const fn = { entry: starter, memoryMb: 1769, architecture: 'arm64', isReported: false } as const;
  const search = { ...counts, ...own, ...asks };
  const withConsumer: Figures = {
    ...figures,
    functions: [...figures.functions, fn],
    searches: Object.fromEntries(
      kinds.map((kind) => [nameOf(kind), { batchOf: 10, alone: search, batch: search }]),
    ),
  };
  const { limits } = modelOf(withConsumer, onePerSecond, values);

  // The runs of 0.2 s, ten times 10 ms, and 20 requests of 5 ms.
  expect(limits.find(({ what }) => what.startsWith('runs started'))?.allowed).toBeCloseTo(1250 / 0.4, 6);
});

test('the measured figures allow 270 searches a second with 1,000 functions: the consumers, and what they start', () => {
  const load = { ...defaultLoad, searches: 270 * monthDays * 86_400, peak: 1, rate: 0, 'rate-limit': 0 };
  const exceeded = modelOf(readFigures(), load, defaultValues).limits.filter(
    ({ used, allowed }) => used > allowed,
  );

  expect(exceeded).toEqual([]);
});
