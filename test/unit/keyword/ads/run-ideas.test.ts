/** Runs of tasks of keyword ideas: pages, seeds, and what becomes of a task whose call fails. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { runIdeas } from '../../../../lib/keyword/ads/run-ideas.ts';
import { holdCalls } from '../../../../lib/pace/ads-turn.ts';
import type { Fault } from '../../../../lib/provider/contract.ts';
import { elapsed, settled, start } from '../fake-time.ts';
import {
  begin,
  fault,
  givenForm,
  givenIdeas,
  givenKeywords,
  ideasOf,
  linesOf,
  received,
  script,
  tables,
  takeSent,
  volume,
} from '../given.ts';

vi.mock('node:timers/promises', () => import('../fake-time.ts').then(({ promises }) => promises));

beforeEach(begin);

const run = async (request: object, more: object = {}) => {
  const { id, messages } = await givenIdeas(request);
  await settled(runIdeas(received(messages.map((each) => ({ ...each, ...more })))));
  return id;
};

const page = (
  texts: readonly string[],
  nextPageToken = '',
  devices: { device: string; searches: number | null }[] = [],
) =>
  script.ideasAnswers.push(() => ({
    ok: true,
    value: {
      ideas: texts.map((text) => ({ text, metrics: volume(text.length), concepts: [] })),
      devices,
      nextPageToken,
    },
  }));

const failing = (...faults: Fault[]) => script.ideasAnswers.push(...faults.map((each) => () => each));
const textsOf = async (id: number) => (await ideasOf(id)).results.map(({ text }) => text);

describe('a task', () => {
  test('is asked for as it was requested', async () => {
    await run({ keywords: ['tea'], location_code: 2276, language_code: 'de', page_url: 'shop.example/tea' });
    await run({ keywords: ['tea'], language_code: '' });

    expect(script.ideas).toMatchObject([
      {
        seeds: { keywords: ['tea'], pageUrl: 'https://shop.example/tea' },
        market: { location: 2276, language: 'de' },
        size: 2000,
        pageToken: '',
      },
      { seeds: { keywords: ['tea'], pageUrl: null }, market: { language: null } },
    ]);
  });

  test('ends with its ideas, their volumes and the devices', async () => {
    page(['green tea', 'black tea'], '', [
      { device: 'MOBILE', searches: 7 },
      { device: 'TV', searches: null },
    ]);
    const id = await run({ keywords: ['tea'] });

    expect(await ideasOf(id)).toMatchObject({
      status: 'success',
      crawled_at: start,
      results: [
        { text: 'green tea', keyword_idea_metrics: { avg_monthly_searches: 9 } },
        { text: 'black tea', keyword_idea_metrics: { avg_monthly_searches: 9 } },
      ],
      aggregate_metric_results: [
        { device: 'MOBILE', search_count: 7 },
        { device: 'TV', search_count: 0 },
      ],
    });
    expect(linesOf('task ended')).toMatchObject([{ kind: 'ideas', KeywordTaskSucceeded: 1 }]);
  });

  test.each([
    [true, ['TEA', 'green tea']],
    [false, ['green tea']],
  ])('has the seeds themselves only if it wants them: %s', async (include_seed_keyword, texts) => {
    page(['TEA', 'green tea']);

    expect(await textsOf(await run({ keywords: ['Tea'], include_seed_keyword }))).toEqual(texts);
  });

  test('that has ended is not run again', async () => {
    const { messages } = await givenIdeas({ keywords: ['tea'] });
    await settled(runIdeas(received(messages)));
    await settled(runIdeas(received(messages)));

    expect(script.ideas).toHaveLength(1);
    expect(linesOf('task ended')).toHaveLength(1);
  });

  test('of volumes is left alone, and so is one that is gone', async () => {
    const { messages } = await givenKeywords(1, [{ key: 'tea' }]);
    await settled(runIdeas(received(messages)));
    tables.clear();
    await settled(runIdeas(received(messages)));

    expect(script.ideas).toEqual([]);
  });

  test('that ends meanwhile is not logged as ended by this run', async () => {
    script.ideasAnswers.push(() => {
      const row = tables.items('TASKS_TABLE').find(({ kind }) => kind === 'ideas');
      Object.assign(row ?? {}, { status: 'error' });
      return { ok: true, value: { ideas: [], devices: [], nextPageToken: '' } };
    });
    await run({ keywords: ['tea'] });

    expect(linesOf('task ended')).toEqual([]);
  });

  test('has its result under the number of its run', async () => {
    const id = await run({ keywords: ['tea'] });
    const partitions = tables
      .items('TASKS_TABLE')
      .filter((item) => item.id === id)
      .map(({ partition }) => partition);

    expect(partitions).toContainEqual(expect.stringMatching(/#result1$/));
  });

  test('of a batch runs after the one before it', async () => {
    const first = await givenIdeas({ keywords: ['tea'] });
    const second = await givenIdeas({ keywords: ['milk'] });
    await settled(runIdeas(received([...first.messages, ...second.messages])));

    expect(script.ideas.map(({ seeds }) => seeds.keywords)).toEqual([['tea'], ['milk']]);
  });
});

describe('pages', () => {
  test('are asked for until there is none; the devices are those of the first', async () => {
    page(['a'], 'second', [{ device: 'MOBILE', searches: 1 }]);
    page(['b'], 'third', [{ device: 'DESKTOP', searches: 2 }]);
    page(['c']);
    const id = await run({ keywords: ['tea'] });

    expect(script.ideas.map(({ size, pageToken }) => [size, pageToken])).toEqual([
      [2000, ''],
      [1999, 'second'],
      [1998, 'third'],
    ]);
    expect(await textsOf(id)).toEqual(['a', 'b', 'c']);
    expect((await ideasOf(id)).aggregate_metric_results.map(({ device }) => device)).toEqual(['MOBILE']);
  });

  test('are at most ten', async () => {
    for (let n = 0; n < 12; n++) page([`idea ${n}`], 'more');
    const id = await run({ keywords: ['tea'] });

    expect(script.ideas).toHaveLength(10);
    expect(await textsOf(id)).toHaveLength(10);
  });

  test('end at the greatest number of ideas', async () => {
    page(
      Array.from({ length: 2200 }, (_, n) => `idea ${n}`),
      'more',
    );
    const id = await run({ keywords: ['tea'] });

    expect(script.ideas).toHaveLength(1);
    expect(await textsOf(id)).toHaveLength(2000);
  });

  test('end at exactly that number', async () => {
    page(
      Array.from({ length: 2000 }, (_, n) => `idea ${n}`),
      'more',
    );
    await run({ keywords: ['tea'] });

    expect(script.ideas).toHaveLength(1);
  });

  test('take a turn each', async () => {
    process.env.ADS_RATE = '1';
    page(['a'], 'second');
    page(['b']);
    await run({ keywords: ['tea'] });

    expect(script.ideas.map(({ at }) => at)).toEqual([0, 1.1]);
  });

  test.each([
    [20, 'success'],
    [21, 'awaiting'],
  ])('wait for their turn for 20 s: held for %i s', async (seconds, status) => {
    script.ideasAnswers.push(() => {
      void holdCalls(seconds);
      return { ok: true, value: { ideas: [], devices: [], nextPageToken: 'second' } };
    });
    const id = await run({ keywords: ['tea'] });

    expect((await ideasOf(id)).status).toBe(status);
    expect(takeSent().map(({ not_before, throttled }) => [not_before - start, throttled])).toEqual(
      status === 'success' ? [] : [[21, 1]],
    );
  });
});

describe('a source', () => {
  test.each([
    ['over quota for 30 s', 0, { retryAfterSeconds: 30 }, 30],
    ['over quota for a second', 0, { retryAfterSeconds: 1 }, 5],
    ['over quota again and again', 2, {}, 20],
  ])('%s postpones the task', async (_, throttled, more, seconds) => {
    failing(fault('throttled', more));
    const id = await run({ keywords: ['tea'] }, { throttled });

    expect(takeSent()).toMatchObject([{ id, not_before: start + seconds, throttled: throttled + 1 }]);
    expect((await ideasOf(id)).status).toBe('awaiting');
  });

  test('that has no turn now postpones the task', async () => {
    await holdCalls(100);
    const id = await run({ keywords: ['tea'] });

    expect(script.ideas).toEqual([]);
    expect(takeSent()).toMatchObject([{ id, not_before: start + 100, throttled: 0 }]);
  });

  test('that has a turn soon is waited for', async () => {
    process.env.ADS_RATE = '1';
    await holdCalls(2);
    await run({ keywords: ['tea'] });

    expect(script.ideas.map(({ at }) => at)).toEqual([2]);
  });

  test('that is down is asked three times, then the task fails', async () => {
    failing(fault('down'), fault('down'), fault('down', { word: 'unreachable' }));
    const id = await run({ keywords: ['tea'] });

    expect(script.ideas.map(({ at }) => at)).toEqual([0, 1, 3]);
    expect(await ideasOf(id)).toMatchObject({ status: 'error', error_message: 'unreachable: it is down' });
  });

  test('that fails on the second page fails the task', async () => {
    page(['a'], 'second');
    failing(fault('rejected', { word: 'upstream' }));
    const id = await run({ keywords: ['tea'] });

    expect(await ideasOf(id)).toMatchObject({
      status: 'error',
      error_message: 'upstream: it is rejected',
      results: [],
    });
    expect(elapsed()).toBe(0);
  });
});

describe('a task of the figures of its keywords', () => {
  const runFigures = async (keywords: string[], more: object = {}) => {
    const { rows, messages } = await givenForm([{ keywords, figures_only: true, ...more }]);
    await settled(runIdeas(received(messages)));
    return rows[0]?.id ?? 0;
  };

  test('has them in their order and spelling, from calls of as many keywords as the source takes', async () => {
    const keywords = ['Tea', 'a', 'bb', 'ccc', 'dddd', 'tea ', 'ffffff', ' '];
    const task = await ideasOf(await runFigures(keywords));

    expect(script.volumes.map(({ keywords: asked, market }) => [asked, market])).toEqual([
      [['tea', 'a', 'bb', 'ccc', 'dddd'], { location: 2276, language: 'de' }],
      [['ffffff'], { location: 2276, language: 'de' }],
    ]);
    expect(script.ideas).toEqual([]);
    expect(task).toMatchObject({ status: 'success', aggregate_metric_results: [] });
    expect(
      task.results.map(({ text, keyword_idea_metrics, keyword_annotations }) => [
        text,
        keyword_idea_metrics.avg_monthly_searches,
        keyword_annotations.concepts,
      ]),
    ).toEqual(keywords.map((text) => [text, text.trim().length, []]));
  });

  test('is of any language if it names none', async () => {
    await runFigures(['tea'], { language_code: '' });

    expect(script.volumes[0]?.market).toEqual({ location: 2276, language: null });
  });

  test('takes a turn for each call', async () => {
    process.env.ADS_RATE = '1';
    await runFigures(['a', 'bb', 'ccc', 'dddd', 'eeeee', 'ffffff']);

    expect(script.volumes.map(({ at }) => at)).toEqual([0, 1.1]);
  });

  test.each([
    [20, 'success'],
    [21, 'awaiting'],
  ])('waits for the next turn for 20 s: held for %i s', async (seconds, status) => {
    script.volumeAnswers.push(() => {
      void holdCalls(seconds);
      return { ok: true, value: new Map() };
    });
    const id = await runFigures(['a', 'bb', 'ccc', 'dddd', 'eeeee', 'ffffff']);

    expect((await ideasOf(id)).status).toBe(status);
    expect(takeSent().map(({ not_before, throttled }) => [not_before - start, throttled])).toEqual(
      status === 'success' ? [] : [[21, 1]],
    );
  });

  test('is asked for three times while the source is down, then it fails', async () => {
    script.volumeAnswers.push(...[1, 2, 3].map(() => () => fault('down')));
    const id = await runFigures(['tea']);

    expect(script.volumes.map(({ at }) => at)).toEqual([0, 1, 3]);
    expect(await ideasOf(id)).toMatchObject({
      status: 'error',
      error_message: 'down: it is down',
      results: [],
    });
  });
});
