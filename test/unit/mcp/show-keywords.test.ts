/** Keyword data of the service as a tool's answer. */
import { describe, expect, test } from 'vitest';
import type { Answer } from '../../../lib/mcp/answer.ts';
import { originOfCall } from '../../../lib/mcp/origin.ts';
import { showIdeas, showSuggestions, showTrends, showVolumes } from '../../../lib/mcp/show-keywords.ts';
import type { KeywordDataSV } from '../../../lib/model/keyword-metrics.ts';
import type { IdeasTask } from '../../../lib/model/keyword-task.ts';

/** `2026-11-23T21:00:00Z`. */
const crawledAt = 1_795_467_600;
const time = '2026-11-23T21:00:00Z';
const fetched = `Fetched at ${time}.`;
const origin = originOfCall({ 'x-cache': 'miss' }, false, crawledAt);
const reused = originOfCall({ 'x-cache': 'partial', age: '7200' }, false, crawledAt + 7200);

const textual = ({ facts, quoted }: Answer) => ({ facts, quoted });
const longText = 'x'.repeat(2000);

test('the origin of a call is what its headers say', () => {
  expect(origin).toEqual({ isSandbox: false, crawledAt, age: undefined });
  expect(reused).toEqual({ isSandbox: false, crawledAt, age: 7200 });
  expect(originOfCall({ 'x-cache': 'hit', age: '0' }, true, crawledAt)).toEqual({
    isSandbox: true,
    crawledAt,
    age: 0,
  });
});

test('volumes have their months, and say what is unknown', () => {
  const known = {
    key: 'coffee',
    sv: 1200,
    cmp: 0.5,
    cpc: 1.2345,
    ms: [
      { year: 2026, month: 10, count: 1300 },
      { year: 2026, month: 9, count: 1100 },
    ],
    has_data: true,
  } as unknown as KeywordDataSV;
  const unknown = { ...known, key: longText, sv: 0, ms: [], has_data: false };

  expect(textual(showVolumes([known, unknown], 'A source', reused))).toEqual({
    facts: [
      'A source figures: mean searches a month, competition of advertisers from 0 to 1, mean bid in currency units.',
      `Reused: fetched at ${time}, 2 hours before this call.`,
    ],
    quoted: [
      'coffee: 1200 searches a month | competition 0.5 | bid 1.23 | 2026-10: 1300, 2026-09: 1100',
      `${'x'.repeat(200)}…: search volume unknown`,
    ],
  });
});

test('ideas have their volume and competition', () => {
  const idea = (text: string, has_data: boolean) => ({
    text,
    has_data,
    keyword_idea_metrics: { avg_monthly_searches: 90, competition: 'LOW' },
  });
  const task = {
    id: 7,
    status: 'success',
    reused: false,
    created_at: crawledAt,
    crawled_at: crawledAt,
    results: [idea('tea', true), idea(longText, false)],
    warnings: ['A warning.'],
  };

  expect(textual(showIdeas(task as unknown as IdeasTask, 'A source', false))).toEqual({
    facts: ['2 keyword ideas of A source, in its order. Task 7.', fetched, 'A warning.'],
    quoted: [
      'tea: 90 searches a month | competition LOW',
      `${'x'.repeat(200)}…: search volume unknown | competition LOW`,
    ],
  });
});

test('suggestions are a list', () => {
  expect(textual(showSuggestions(['a', 'b'], origin))).toEqual({
    facts: ['Suggestions, in the order of the engine.', fetched],
    quoted: ['- a', '- b'],
  });
  expect(textual(showSuggestions([], origin))).toEqual({
    facts: ['The engine suggests nothing.', fetched],
    quoted: [],
  });
});

describe('trends', () => {
  test('of a country are its searches', () => {
    expect(textual(showTrends({ result: [{ title: 'cup', traffic: '2000+' }] } as never, origin))).toEqual({
      facts: ['What people in the country search for more than usual.', fetched],
      quoted: ['- cup (about 2000+ searches)'],
    });
  });

  const interest =
    'Interest over twelve months by week: searches relative to the week with the most, which is 100. A rising query has its increase in percent.';

  test('of a keyword are its weeks and related queries', () => {
    const reply = {
      interest_over_time: [
        { date: '2026-01-04', value: 40 },
        { date: '2026-01-11', value: 100 },
      ],
      related_queries: { top: [{ query: 'tea', value: 100 }], rising: [{ query: 'matcha', value: 250 }] },
    };

    expect(textual(showTrends(reply as never, origin))).toEqual({
      facts: [interest, fetched, '2026-01-04: 40, 2026-01-11: 100'],
      quoted: ['top query: tea (100)', 'rising query: matcha (+250 %)'],
    });
  });

  test('may have too few searches', () => {
    const reply = { interest_over_time: [], related_queries: { top: [], rising: [] } };

    expect(textual(showTrends(reply as never, origin))).toEqual({
      facts: [interest, fetched, 'The source has too few searches to show the interest.'],
      quoted: [],
    });
  });
});

describe('structured', () => {
  test('volumes have numbers, and null for what is unknown', () => {
    const known = {
      key: 'tea',
      sv: 1200,
      cmp: 0.5,
      cpc: 1.2345,
      ms: [{ year: 2026, month: 9, count: 1100 }],
      has_data: true,
    };
    const results = [known, { ...known, has_data: false, ms: [] }] as unknown as KeywordDataSV[];

    expect(showVolumes(results, 'A source', reused)).toMatchObject({
      fields: { sandbox: false, crawled_at: time, reused: true, age_seconds: 7200, provider: 'A source' },
      lists: {
        volumes: [
          {
            keyword: 'tea',
            searches_a_month: 1200,
            competition: 0.5,
            bid: 1.23,
            months: [{ month: '2026-09', searches: 1100 }],
          },
          { keyword: 'tea', searches_a_month: null, months: [] },
        ],
      },
    });
  });

  test('trends and suggestions are lists', () => {
    const trend = {
      interest_over_time: [{ date: '2026-01-04', value: 40 }],
      related_queries: { top: [{ query: 'tea', value: 100 }], rising: [] },
    };

    expect(showTrends(trend as never, origin).lists).toEqual({
      interest: trend.interest_over_time,
      top: trend.related_queries.top,
      rising: [],
    });
    expect(showTrends({ result: [{ title: 'cup', traffic: '2000+' }] } as never, origin).lists).toEqual({
      searches: [{ title: 'cup', traffic: '2000+' }],
    });
    expect(showSuggestions(['a'], origin).lists).toEqual({ suggestions: ['a'] });
  });
});
