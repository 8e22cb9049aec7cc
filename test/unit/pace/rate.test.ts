/** The rate of an engine, its pauses, and the block signal of a run. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { blockSignalOf } from '../../../lib/crawl/block-signal.ts';
import type { FetchedPage } from '../../../lib/model/workflow.ts';
import { pauseSeconds, rateOf } from '../../../lib/pace/rest.ts';
import { deadlineOf } from '../../../lib/task/deadline.ts';
import { createdAt, taskId } from '../../../lib/task/id.ts';

vi.mock('node:timers/promises', () => import('../keyword/fake-time.ts').then(({ promises }) => promises));

afterEach(() => {
  for (const name of ['GOOGLE_RATE', 'GOOGLE_ORIGIN', 'SEARCH_SOURCE', 'TASK_DEADLINE'])
    delete process.env[name];
});

test('pauses double from 10 s to 900 s', () => {
  expect([1, 2, 3, 4, 5, 6, 7, 8, 9, 60].map(pauseSeconds)).toEqual([
    10, 20, 40, 80, 160, 320, 640, 900, 900, 900,
  ]);
});

describe('the rate', () => {
  test.each<[Record<string, string>, number]>([
    [{}, 0],
    [{ SEARCH_SOURCE: 'sandbox' }, 0],
    [{ SEARCH_SOURCE: 'live' }, 1],
    [{ SEARCH_SOURCE: 'live', GOOGLE_ORIGIN: 'http://127.0.0.1:1' }, 0],
    [{ SEARCH_SOURCE: 'live', GOOGLE_RATE: '' }, 1],
    [{ SEARCH_SOURCE: 'live', GOOGLE_RATE: '0' }, 0],
    [{ SEARCH_SOURCE: 'live', GOOGLE_RATE: '20' }, 20],
    [{ GOOGLE_RATE: '0.5' }, 0.5],
    [{ GOOGLE_ORIGIN: 'http://127.0.0.1:1', GOOGLE_RATE: '3' }, 3],
  ])('with %j is %d', (settings, rate) => {
    Object.assign(process.env, settings);

    expect(rateOf('google')).toBe(rate);
  });

  test.each(['fast', '-1', 'Infinity', '1/s'])('cannot be %s', (given) => {
    process.env.GOOGLE_RATE = given;

    expect(() => rateOf('google')).toThrow('GOOGLE_RATE');
  });
});

const page = (outcome: FetchedPage['outcome'], verdict: FetchedPage['verdict']): FetchedPage => ({
  page: 1,
  outcome,
  verdict,
  html: '',
  fetches: 1,
  has_next: false,
  fetched_at: 1,
  reason: '',
});

test.each<[string, Parameters<typeof page>[], 'open' | 'wall' | null]>([
  ['results', [['fetched', 'results']], 'open'],
  ['nothing found', [['fetched', 'empty']], 'open'],
  ['a captcha', [['blocked', 'captcha']], 'wall'],
  ['a soft block', [['blocked', 'soft_block']], 'wall'],
  ['a throttled page', [['throttled', 'soft_block']], 'wall'],
  [
    'a good page before a captcha',
    [
      ['fetched', 'results'],
      ['blocked', 'captcha'],
    ],
    'open',
  ],
  ['no answer', [['failed', null]], null],
  ['a consent page', [['blocked', 'consent']], null],
  ['an unknown layout', [['blocked', 'unknown_layout']], null],
  ['no page', [], null],
])('a run with %s gives the right block signal', (_what, pages, met) => {
  expect(blockSignalOf(pages.map((each) => page(...each)))).toBe(met);
});

test('the creation time of a task can be read from its id', () => {
  expect([0, 1, 2 ** 21 - 1, 2 ** 21].map((number) => createdAt(taskId(1_800_000_000, number)))).toEqual(
    Array(4).fill(1_800_000_000),
  );
});

test('the deadline of a task is six hours, or TASK_DEADLINE', () => {
  expect(deadlineOf(1000)).toBe(1000 + 6 * 3600);
  process.env.TASK_DEADLINE = '30';
  expect(deadlineOf(1000)).toBe(1030);
});
