/** What each kind of task adds: its messages, its changes for a new run and for an end without a result. */
import { describe, expect, test } from 'vitest';
import type { IdeasRow } from '../../../lib/store/task-row.ts';
import { kinds, searchMessage } from '../../../lib/task/kinds.ts';
import { keywordRow, searchRow } from './rows.ts';

const ideas = (fields: object = {}) => ({ ...keywordRow(), kind: 'ideas', ...fields }) as unknown as IdeasRow;

test('each kind has its queue', () => {
  expect(Object.entries(kinds).map(([kind, { queue }]) => [kind, queue])).toEqual([
    ['serp', 'CRAWL_QUEUE_URL'],
    ['keyword', 'KEYWORD_QUEUE_URL'],
    ['ideas', 'KEYWORD_QUEUE_URL'],
  ]);
});

describe('the messages', () => {
  test('of searches have the engine, the pages and the trace', () => {
    const message = { user_id: 1, id: 42, engine: 'google', pages: 2 };

    expect(kinds.serp.messages([searchRow(), searchRow({ id: 43, trace: 'Root=1' })])).toEqual([
      message,
      { ...message, id: 43, trace: 'Root=1' },
    ]);
    expect(searchMessage(searchRow({ trace: '' }))).toEqual(message);
  });

  test('of ideas have the kind and the trace', () => {
    expect(kinds.ideas.messages([ideas(), ideas({ id: 44, trace: 'Root=1' })])).toEqual([
      { user_id: 1, id: 43, kind: 'ideas' },
      { user_id: 1, id: 44, kind: 'ideas', trace: 'Root=1' },
    ]);
  });

  test('of keywords have the keywords of one user and one place, with the trace of the first', () => {
    const rows = [
      keywordRow({ id: 1, trace: 'Root=1' }),
      keywordRow({ id: 2, loc_id: 2840 }),
      keywordRow({ id: 3, trace: 'Root=3' }),
      keywordRow({ id: 4, user_id: 2 }),
    ];

    expect(kinds.keyword.messages(rows)).toEqual([
      { user_id: 1, id: 1, kind: 'keyword', more: [3], place: 2124, trace: 'Root=1' },
      { user_id: 1, id: 2, kind: 'keyword', more: [], place: 2840 },
      { user_id: 2, id: 4, kind: 'keyword', more: [], place: 2124 },
    ]);
    expect(kinds.keyword.messages([])).toEqual([]);
  });

  test('of keywords have at most a hundred keywords', () => {
    const rows = Array.from({ length: 201 }, (_, id) => keywordRow({ id }));
    const packs = kinds.keyword.messages(rows) as unknown as { id: number; more: number[] }[];

    expect(packs.map(({ id, more }) => [id, more.length])).toEqual([
      [0, 99],
      [100, 99],
      [200, 0],
    ]);
    expect(packs.flatMap(({ id, more }) => [id, ...more])).toEqual(rows.map(({ id }) => id));
  });
});

test('a new run of a search fetches all pages again, and orders them again', () => {
  const changes = kinds.serp.reset(searchRow());

  expect(changes).toStrictEqual({
    pages: [
      { page: 1, status: 'awaiting' },
      { page: 2, status: 'awaiting' },
    ],
    crawled_at: 0,
    upstream_id: undefined,
    upstream: undefined,
    ordering: undefined,
  });
});

test('a search that ends without a result has failed pages', () => {
  expect(kinds.serp.failed(searchRow({ pages: [{ page: 1, status: 'parsed' }] as never }))).toEqual({
    pages: [{ page: 1, status: 'failed' }],
  });
});

test.each(['keyword', 'ideas'] as const)('a new run of %s has another number', (kind) => {
  expect(kinds[kind].reset(keywordRow({ attempt: 2 }))).toEqual({ attempt: 3 });
  expect(kinds[kind].failed(keywordRow())).toEqual({});
});
