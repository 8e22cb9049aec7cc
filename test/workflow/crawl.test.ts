/** The synthesised crawl machine: order, choices, retries and catches, by scenario. */
import { expect, test } from 'vitest';
import { type FetchedPage, type PageBatch, type PageKey, refusedPage } from '../../lib/model/workflow.ts';
import { type Json, runMachine } from './run-machine.ts';

const key = { user_id: 1, id: 7 };
const run = { ...key, attempt: 2 };

const pagesOf = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => ({ ...run, page: from + n }));

const claimed = { ...run, outcome: 'claimed', batch: pagesOf(1, 1), first: [], delivery: null };

const noBatch: Json = {};

const plan = (pages: number) => ({
  ...claimed,
  rest: pages > 1 ? { batch: pagesOf(2, pages), rest: noBatch } : noBatch,
});

/** The plan of a run whose pages are fetched one after another. */
const orderlyPlan = (pages: number) => {
  let rest = noBatch;
  for (let page = pages; page > 1; page--) rest = { batch: pagesOf(page, page), rest };
  return { ...claimed, rest };
};

const fetched = (page: number, more: Partial<FetchedPage> = {}): FetchedPage => ({
  page,
  outcome: 'fetched',
  verdict: 'results',
  html: `html/kq3ZVb0mW8sLhT1x/2-${page}.html.gz`,
  fetches: 1,
  has_next: true,
  fetched_at: 1_800_000_000,
  reason: '',
  ...more,
});

/** The steps that fetch one page and several. */
const fetching = (answer: (key: PageKey) => unknown) => ({
  FetchPage: answer,
  FetchPages: ({ batch }: PageBatch) => batch.map(answer),
});

/** The pages that were asked for, by call. */
const askedOf = ({ FetchPage = [], FetchPages = [] }: Record<string, unknown[]>): unknown[][] => [
  ...FetchPage.map((page) => [page]),
  ...(FetchPages as PageBatch[]).map(({ batch }) => batch),
];

const parsed = { ...key, outcome: 'final', delivery: 'msg_1_7_2' };
const blocked = { outcome: 'blocked', verdict: 'captcha', has_next: false, html: '' } as const;
const throttled = { outcome: 'throttled', verdict: 'soft_block', has_next: false, html: '' } as const;
const failed = { outcome: 'failed', verdict: null, has_next: false, html: '' } as const;

test.each<[scenario: string, pages: number, first: Partial<FetchedPage>, asked: number[]]>([
  ['one page', 1, {}, [1]],
  ['many pages: the first alone, then the others', 3, {}, [1, 2, 3]],
  ['the maximum number of pages', 10, {}, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
  ['a first page without a next page', 10, { has_next: false }, [1]],
  ['a first page without results', 3, { verdict: 'empty', has_next: false }, [1]],
  ['a first page that failed', 3, failed, [1]],
  ['a first page that is throttled', 3, throttled, [1]],
])('crawls %s', async (_scenario, pages, first, asked) => {
  const { calls, output, path } = await runMachine('CrawlMachine', plan(pages), {
    ...fetching(({ page }) => fetched(page, page === 1 ? first : {})),
    ParseTask: () => parsed,
  });

  const [, ...further] = asked;
  expect(askedOf(calls)).toEqual([pagesOf(1, 1), ...(further.length > 0 ? [pagesOf(2, asked.length)] : [])]);
  const [answered, ...others] = asked.map((page) => fetched(page, page === 1 ? first : {}));
  expect(calls.ParseTask).toEqual([
    others.length > 0
      ? expect.objectContaining({ ...run, first: [answered], crawled: others })
      : expect.objectContaining({ ...run, crawled: [answered] }),
  ]);
  expect(output).toEqual(parsed);
  expect(path.at(-1)).toBe('Done');
});

test.each<[scenario: string, pages: Partial<FetchedPage>[], batches: number[][]]>([
  ['one after another to the last one', [{}, {}, {}, {}], [[1], [2], [3], [4]]],
  ['up to the one that ends the crawl', [{}, {}, { onward: 'stop' }, {}], [[1], [2], [3]]],
  ['not beyond a first page that ends the crawl', [{ onward: 'stop' }, {}], [[1]]],
  ['up to the last one of the engine', [{}, { has_next: false }, {}], [[1], [2]]],
  ['up to one that failed', [{}, failed, {}], [[1], [2]]],
  ['up to one that is throttled', [{}, throttled, {}], [[1], [2]]],
  ['all at once when the run is late', [{}, {}, { onward: 'all' }, {}, {}, {}], [[1], [2], [3], [4, 5, 6]]],
  ['all at once when the first page is late', [{ onward: 'all' }, {}, {}], [[1], [2, 3]]],
])('fetches pages %s', async (_scenario, pages, batches) => {
  const { calls, output, path } = await runMachine('CrawlMachine', orderlyPlan(pages.length), {
    ...fetching(({ page }) => fetched(page, pages[page - 1])),
    ParseTask: () => parsed,
  });

  expect(askedOf(calls)).toEqual(batches.map((batch) => batch.map((page) => ({ ...run, page }))));
  expect(path.filter((state) => state === 'CrawlPages')).toHaveLength(batches.length);
  const answers = batches.map((batch) => batch.map((page) => fetched(page, pages[page - 1])));
  expect(calls.ParseTask).toEqual([
    expect.objectContaining({ ...run, first: answers.slice(0, -1).flat(), crawled: answers.at(-1) }),
  ]);
  expect(output).toEqual(parsed);
});

test('a page that the browser opens decides whether the next one is fetched', async () => {
  const { calls } = await runMachine('CrawlMachine', orderlyPlan(4), {
    FetchPage: ({ page }: PageKey) => ({ ...run, ...fetched(page, blocked) }),
    RenderPage: ({ page }: PageKey) => fetched(page, page === 2 ? { onward: 'stop' } : {}),
    ParseTask: () => parsed,
  });

  expect(calls.FetchPage).toEqual([1, 2].map((page) => ({ ...run, page })));
  expect(calls.RenderPage).toHaveLength(2);
});

test.each<[scenario: string, rendered: Partial<FetchedPage>, asked: number[]]>([
  ['is whole in the browser', { fetches: 3 }, [1, 2]],
  ['is the last page in the browser', { fetches: 3, has_next: false }, [1]],
  ['is blocked in the browser too', { ...blocked, fetches: 3 }, [1]],
  ['fails in the browser', { ...failed, fetches: 3 }, [1]],
])('a first page that is blocked over HTTP and %s', async (_scenario, rendered, asked) => {
  const overHttp = { ...run, ...fetched(1, { ...blocked, fetches: 2 }) };
  const { calls, path } = await runMachine('CrawlMachine', plan(2), {
    ...fetching(({ page }) => (page === 1 ? overHttp : fetched(page))),
    RenderPage: () => fetched(1, rendered),
    ParseTask: () => parsed,
  });

  expect(calls.RenderPage).toEqual([overHttp]);
  expect(calls.FetchPage).toEqual(asked.map((page) => ({ ...run, page })));
  const others = asked.slice(1).map((page) => fetched(page));
  const answered = [fetched(1, rendered)];
  expect(calls.ParseTask).toEqual([
    expect.objectContaining(others.length > 0 ? { first: answered, crawled: others } : { crawled: answered }),
  ]);
  expect(path.at(-1)).toBe('Done');
});

test('only blocked pages are opened in the browser', async () => {
  const outcomes = ['fetched', 'blocked', 'throttled', 'failed'] as const;
  const { calls } = await runMachine('CrawlMachine', plan(4), {
    ...fetching(({ page }) => fetched(page, { outcome: outcomes[page - 1] })),
    RenderPage: ({ page }: PageKey) => fetched(page),
    ParseTask: () => parsed,
  });

  expect(calls.RenderPage).toEqual([fetched(2, { outcome: 'blocked' })]);
});

test('a blocked later page does not stop the others', async () => {
  const { calls } = await runMachine('CrawlMachine', plan(4), {
    ...fetching(({ page }) => fetched(page, page === 3 ? blocked : {})),
    RenderPage: () => fetched(3, blocked),
    ParseTask: () => parsed,
  });

  expect(calls.ParseTask).toEqual([
    expect.objectContaining({
      first: [fetched(1)],
      crawled: [fetched(2), fetched(3, blocked), fetched(4)],
    }),
  ]);
});

test('if the call for several pages fails, a separate call fetches each of them', async () => {
  const { calls, path } = await runMachine('CrawlMachine', plan(4), {
    FetchPage: ({ page }: PageKey, call: number) => {
      // The page that broke the call for all of them breaks its own call once, too.
      if (page === 3 && call === 3) throw new Error('out of memory');
      return fetched(page);
    },
    FetchPages: () => {
      throw new Error('out of memory');
    },
    ParseTask: () => parsed,
  });

  expect(calls.FetchPages).toHaveLength(1);
  expect(calls.FetchPage).toHaveLength(5);
  expect(calls.ParseTask).toEqual([
    expect.objectContaining({ first: [fetched(1)], crawled: [2, 3, 4].map((page) => fetched(page)) }),
  ]);
  expect(path.at(-1)).toBe('Done');
});

test('a throttled page is not opened in the browser, and the run returns the answer of ParseTask', async () => {
  const end = { ...key, outcome: 'throttled', delivery: null, met: 'wall' };
  const { calls, output, path } = await runMachine('CrawlMachine', plan(1), {
    FetchPage: () => fetched(1, throttled),
    RenderPage: () => fetched(1),
    ParseTask: () => end,
  });

  expect(calls.RenderPage).toEqual([]);
  expect(calls.ParseTask).toEqual([expect.objectContaining({ crawled: [fetched(1, throttled)] })]);
  expect(output).toEqual(end);
  expect(path.at(-1)).toBe('Done');
});

test('a page whose fetch met back-pressure is not opened in the browser, and the run returns the answer of ParseTask', async () => {
  const refused = refusedPage({ ...run, page: 1 });
  const end = { ...run, outcome: 'refused', delivery: null, met: null };
  const { calls, output, path } = await runMachine('CrawlMachine', plan(3), {
    FetchPage: () => refused,
    RenderPage: () => fetched(1),
    ParseTask: () => end,
  });

  expect(calls.FetchPage).toHaveLength(1);
  expect(calls.RenderPage).toEqual([]);
  expect(calls.ParseTask).toEqual([expect.objectContaining({ crawled: [refused] })]);
  expect(output).toEqual(end);
  expect(path.at(-1)).toBe('Done');
});

test('back-pressure in the browser is the outcome of the page too', async () => {
  const refused = refusedPage({ ...run, page: 1 });
  const { calls } = await runMachine('CrawlMachine', plan(1), {
    FetchPage: () => fetched(1, blocked),
    RenderPage: () => refused,
    ParseTask: () => parsed,
  });

  expect(calls.ParseTask).toEqual([expect.objectContaining({ crawled: [refused] })]);
});

test.each(['FetchPage', 'FetchPages', 'RenderPage', 'ParseTask'])(
  'if Lambda refuses %s for too long, the run fails with the name of that error',
  async (name) => {
    const { error, path } = await runMachine('CrawlMachine', plan(3), {
      ...fetching(({ page }) => fetched(page, blocked)),
      RenderPage: () => fetched(1),
      ParseTask: () => parsed,
      [name]: () => {
        throw Object.assign(new Error('Rate Exceeded.'), { name: 'Lambda.TooManyRequestsException' });
      },
    });

    expect(error?.name).toBe('Lambda.TooManyRequestsException');
    expect(path.at(-1)).toBe('Broken');
  },
);

test('parses the pages of an earlier run without another fetch', async () => {
  const answer = { ...run, outcome: 'fetched', batch: [], rest: {}, first: [], delivery: null };
  const { path, output } = await runMachine('CrawlMachine', answer, {
    ParseTask: () => parsed,
  });

  expect(path).toEqual(['Claimed?', 'ParseTask', 'LeftToProvider?', 'Done']);
  expect(output).toEqual(parsed);
});

test('a search of one page that its fetch has ended has no further step', async () => {
  const ended = { ...run, outcome: 'final', delivery: 'msg_1_7_2', batch_id: 3, met: 'open' };
  const { calls, output, path } = await runMachine('CrawlMachine', plan(1), {
    FetchPage: () => ({ ...run, ...fetched(1, { has_next: true }), ended }),
    ParseTask: () => parsed,
  });

  expect(calls.ParseTask).toEqual([]);
  expect(output).toEqual(ended);
  expect(path.slice(-2)).toEqual(['MorePages?', 'Ended']);
});

test('a page that its fetch could not get is opened in the browser, and parsed', async () => {
  const { calls, path } = await runMachine('CrawlMachine', plan(1), {
    FetchPage: () => ({ ...run, ...fetched(1, blocked) }),
    RenderPage: () => fetched(1),
    ParseTask: () => parsed,
  });

  expect(calls.ParseTask).toEqual([expect.objectContaining({ crawled: [fetched(1)] })]);
  expect(path).not.toContain('Ended');
});

test('a fetch that is repeated after it has ended the search ends the run as well', async () => {
  const ended = { ...run, outcome: 'final', delivery: 'msg_1_7_2', met: 'open' };
  const { calls, output } = await runMachine('CrawlMachine', plan(1), {
    FetchPage: breaking(1, { ...run, ...fetched(1), ended }),
    ParseTask: () => parsed,
  });

  expect([calls.FetchPage?.length, calls.ParseTask?.length]).toEqual([2, 0]);
  expect(output).toEqual(ended);
});

const breaking = (times: number, answer: unknown) => (_input: never, call: number) => {
  if (call <= times) throw new Error('S3 is away');
  return answer;
};

const toProvider = { fetcher: 'upstream', line: 'google/upstream', walls: 0, isProbe: false } as const;
const left = { outcome: 'upstream', verdict: null, has_next: false, html: '', next: toProvider } as const;
const handed = { ...run, outcome: 'handed', delivery: null, met: null };

test('a page that is left to the upstream provider ends the fetches, and the provider gets the search', async () => {
  const ended = { ...run, outcome: 'upstream', delivery: null, met: null, next: toProvider };
  const { calls, output, path } = await runMachine('CrawlMachine', plan(3), {
    FetchPage: () => fetched(1, left),
    ParseTask: () => ended,
    PostSearch: () => handed,
  });

  expect(calls.FetchPage).toHaveLength(1);
  expect(calls.ParseTask).toEqual([expect.objectContaining({ crawled: [fetched(1, left)] })]);
  expect(calls.PostSearch).toEqual([ended]);
  expect(output).toEqual(handed);
  expect(path.slice(-4)).toEqual(['ParseTask', 'LeftToProvider?', 'PostSearch', 'Done']);
});

test('a page that the browser leaves to the provider is no result either', async () => {
  const ended = { ...run, outcome: 'upstream', delivery: null, met: null, next: toProvider };
  const { calls, output } = await runMachine('CrawlMachine', plan(1), {
    FetchPage: () => fetched(1, blocked),
    RenderPage: () => fetched(1, { ...left, fetches: 3 }),
    ParseTask: () => ended,
    PostSearch: () => handed,
  });

  expect(calls.PostSearch).toEqual([ended]);
  expect(output).toEqual(handed);
});

const ordered = { ...run, outcome: 'ordered', batch: [], rest: {}, first: [], delivery: null };

test('the pages of the provider are collected and parsed without a fetch', async () => {
  const collected = { ...run, outcome: 'collected', byProvider: true, crawled: [fetched(1)] };
  const { calls, output, path } = await runMachine('CrawlMachine', ordered, {
    CollectPages: () => collected,
    ParseTask: () => parsed,
  });

  expect(calls.CollectPages).toEqual([ordered]);
  expect(calls.ParseTask).toEqual([collected]);
  expect(output).toEqual(parsed);
  expect(path).toEqual([
    ...['Claimed?', 'CollectPages', 'Collected?'],
    ...['ParseTask', 'LeftToProvider?', 'Done'],
  ]);
});

test.each(['handed', 'final', 'stale', 'refused'])(
  'a request to the provider that is %s ends the run',
  async (outcome) => {
    const answer = { ...handed, outcome };
    const { output, path } = await runMachine('CrawlMachine', ordered, {
      CollectPages: () => answer,
    });

    expect(output).toEqual(answer);
    expect(path.at(-1)).toBe('Done');
  },
);

test.each<[name: string, input: Parameters<typeof runMachine>[1], standIns: Record<string, () => unknown>]>([
  ['PostSearch', plan(1), { FetchPage: () => fetched(1, left), ParseTask: () => left }],
  ['CollectPages', ordered, {}],
])('%s is retried, and fails the run when it fails every time', async (name, input, standIns) => {
  const { calls, error, path } = await runMachine('CrawlMachine', input, {
    ...standIns,
    [name]: breaking(99, null),
  });

  expect(calls[name]).toHaveLength(4);
  expect(error?.message).toContain('S3 is away');
  expect(path.at(-1)).toBe('Broken');
});

const steps = ['FetchPage', 'RenderPage', 'ParseTask'] as const;
const answers = {
  FetchPage: fetched(1, blocked),
  RenderPage: fetched(1),
  ParseTask: parsed,
};
const standIns = (broken: string, times: number) =>
  Object.fromEntries(steps.map((name) => [name, breaking(name === broken ? times : 0, answers[name])]));

test.each(steps)('retries %s when it fails', async (name) => {
  const { calls, output } = await runMachine('CrawlMachine', plan(1), standIns(name, 3));

  expect(calls[name]).toHaveLength(4);
  expect(new Set(calls[name]?.map((call) => JSON.stringify(call))).size).toBe(1);
  expect(output).toEqual(parsed);
});

test.each(steps)('fails the run with the cause when %s fails every time', async (name) => {
  const { calls, output, error, path } = await runMachine('CrawlMachine', plan(1), standIns(name, 99));

  expect(calls[name]).toHaveLength(4);
  expect(output).toBeUndefined();
  expect(path.at(-1)).toBe('Broken');
  expect(error?.message).toContain('S3 is away');
});
