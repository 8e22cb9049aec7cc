/** Tasks of keyword data: how they are accepted, listed and shown. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createFormTasks, createIdeasTask, createKeywordTasks } from '../../../lib/keyword/create.ts';
import { listKeywordTasks } from '../../../lib/keyword/list.ts';
import { ideasTaskOf, keywordTaskOf, readIdeasTask, readKeywordTask } from '../../../lib/keyword/view.ts';
import { noMetrics } from '../../../lib/model/keyword-metrics.ts';
import { packMetrics } from '../../../lib/store/packed-metrics.ts';
import type { IdeasRow, KeywordRow } from '../../../lib/store/task-row.ts';
import { readTaskRow } from '../../../lib/store/tasks.ts';
import { start } from './fake-time.ts';
import {
  begin,
  givenForm,
  givenIdeas,
  givenKeywords,
  linesOf,
  tables,
  takeSent,
  userOf,
  volume,
} from './given.ts';

vi.mock('node:timers/promises', () => import('./fake-time.ts').then(({ promises }) => promises));

beforeEach(begin);

const errorOf = (asking: Promise<unknown>) =>
  asking.then(
    () => 'no error',
    ({ statusCode, detail }) => `${statusCode} ${detail}`,
  );

const rowsIn = () => tables.items('TASKS_TABLE').filter(({ kind }) => kind !== undefined);

const request = (key: string, more: object = {}) => ({
  key,
  loc_id: null,
  postback_url: null,
  ...more,
});

describe('accepting keywords', () => {
  test('writes a row for each, queues them, and returns them in their order', async () => {
    const tasks = await createKeywordTasks(
      userOf(1),
      [request('b', { loc_id: 2276 }), request('a', { postback_url: 'https://hook.example/' })],
      'https://here.example',
    );

    expect(tasks).toMatchObject([
      {
        user_id: 1,
        key: 'b',
        loc_id: 2276,
        status: 'awaiting',
        complete: null,
        created_at: start,
        created_on: '2027-01-15',
        ttl: start + 86_400,
        succeed_at: 0,
        crawled_at: 0,
        sharding: 0,
        postback_retries_count: 0,
        postback_url: null,
        error_message: null,
        waiting_until: null,
        warnings: [],
        reused: false,
        result: [],
      },
      { key: 'a', loc_id: null, postback_url: 'https://hook.example/' },
    ]);
    expect(rowsIn()[0]).toMatchObject({
      kind: 'keyword',
      attempt: 0,
      lease_until: 0,
      base_url: 'https://here.example',
      delivery_attempt: 0,
      due_at: start + 900,
      unfinished: `task#${(tasks[0]?.id ?? 0) % 64}`,
    });
    expect(takeSent()).toMatchObject([
      { id: tasks[0]?.id, place: 2276, kind: 'keyword' },
      { id: tasks[1]?.id, place: null },
    ]);
    expect(linesOf('tasks accepted')).toMatchObject([
      { first_task_id: tasks[0]?.id, last_task_id: tasks[1]?.id, tasks: 2, TasksAccepted: 2 },
    ]);
  });

  test('again with the same idempotency key gives the same tasks, and is not counted again', async () => {
    const idempotency = { key: 'again', path: '/api/v1/keyword-sv', body: 'hash' };
    const accept = () =>
      createKeywordTasks(
        userOf(1),
        ['a', 'b', 'c'].map((key) => request(key)),
        'https://here.example',
        {
          idempotency,
        },
      );
    const first = await accept();
    const second = await accept();

    expect(second.map(({ id }) => id)).toEqual(first.map(({ id }) => id));
    expect(linesOf('tasks accepted')).toMatchObject([
      { first_task_id: first[0]?.id, last_task_id: first[2]?.id, tasks: 3 },
    ]);
  });

  test('lets the sweeper look at them at their deadline at the latest', async () => {
    process.env.TASK_DEADLINE = '60';
    await createKeywordTasks(userOf(1), [request('a')], 'https://here.example');

    expect(rowsIn()).toMatchObject([{ due_at: start + 60 }]);
  });

  test('warns of unknown fields', async () => {
    const [task] = await createKeywordTasks(
      userOf(1),
      [request('a', { unknown_fields: ['colour', 'size'] })],
      'https://here.example',
    );

    expect(task?.warnings).toEqual(['Unknown fields are ignored: "colour", "size".']);
  });

  test('refuses a batch whose response would be too large; nothing is written', async () => {
    const many = Array.from({ length: 10_000 }, (_, n) => request(`${n} ${'x'.repeat(200)}`));

    expect(await errorOf(createKeywordTasks(userOf(1), many, 'https://here.example'))).toBe(
      '413 The answer to this batch would pass 5 MB: send fewer tasks at once',
    );
    expect(rowsIn()).toEqual([]);
    expect(takeSent()).toEqual([]);
  });

  test('counts each keyword as a page of a batch', async () => {
    const user = userOf(1, { rate_limit: 1 });
    const keywords = (count: number) => Array.from({ length: count }, (_, n) => request(`${n}`));
    await createKeywordTasks(user, keywords(24), 'https://here.example');
    await createKeywordTasks(user, keywords(2), 'https://here.example');

    expect(await errorOf(createKeywordTasks(user, keywords(1), 'https://here.example'))).toBe(
      '429 Too many pages: wait for the next minute',
    );
    expect(rowsIn()).toHaveLength(26);
  });

  test('counts no limit of ideas', async () => {
    const user = userOf(1, { rate_limit: 1 });
    const idea = {
      keywords: ['tea'],
      location_code: 2276,
      language_code: 'de',
      page_url: '',
      include_seed_keyword: true,
      postback_url: null,
    };
    const task = await createIdeasTask(user, idea, 'https://here.example');

    expect(task).toMatchObject({
      keywords: ['tea'],
      location_code: 2276,
      language_code: 'de',
      page_url: null,
      include_seed_keyword: true,
      status: 'awaiting',
      results: [],
      aggregate_metric_results: [],
    });
    expect(takeSent()).toMatchObject([{ id: task.id, kind: 'ideas' }]);
    expect(tables.items('LIMITS_TABLE')).toEqual([]);
  });
});

describe('accepting tasks in another form', () => {
  test('writes a row for each, with what it asks for, and without a webhook of ours', async () => {
    const { rows, messages } = await givenForm([
      { keywords: ['tea', 'milk'], figures_only: true, tag: 'x' },
      { keywords: ['cup'] },
    ]);

    expect(rowsIn()).toHaveLength(2);
    expect(rows).toMatchObject([
      { kind: 'ideas', keywords: ['tea', 'milk'], figures_only: true, tag: 'x', location_code: 2276 },
      { kind: 'ideas', keywords: ['cup'], page_url: null, include_seed_keyword: true, postback_url: null },
    ]);
    expect(rows[0]).not.toHaveProperty('warnings');
    expect(messages.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
  });

  test('counts each keyword whose figures are asked for, and ideas once, as pages of a batch', async () => {
    const user = userOf(1, { rate_limit: 1 });
    const asked = (...counts: number[]) =>
      counts.map((count) => ({
        keywords: Array.from({ length: Math.abs(count) }, (_, n) => `k${n}`),
        location_code: 2276,
        language_code: 'de',
        ...(count > 0 && { figures_only: true }),
      })) as never;

    expect(await errorOf(createFormTasks(user, asked(20, -9), ''))).toBe('no error');
    expect(await errorOf(createFormTasks(user, asked(5), ''))).toBe('no error');
    expect(await errorOf(createFormTasks(user, asked(1), ''))).toMatch(/^429 /);
  });
});

describe('a list', () => {
  test('has the tasks of a status, newest first, page by page', async () => {
    const { ids } = await givenKeywords(
      1,
      Array.from({ length: 30 }, (_, n) => ({ key: `k${n}` })),
    );
    await givenIdeas({ keywords: ['tea'] });
    await givenKeywords(2, [{ key: 'of another' }]);
    const first = await listKeywordTasks(userOf(1), { status: 'awaiting', limit: 25, cursor: '' });
    const second = await listKeywordTasks(userOf(1), {
      status: 'awaiting',
      limit: 25,
      cursor: first.cursor ?? '',
    });

    expect([first.num_items, second.num_items, second.cursor]).toEqual([25, 5, null]);
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(ids.toSorted((a, b) => b - a));
  });

  test('refuses the cursor of another status', async () => {
    await givenKeywords(
      1,
      Array.from({ length: 30 }, (_, n) => ({ key: `k${n}` })),
    );
    const { cursor } = await listKeywordTasks(userOf(1), { status: 'awaiting', limit: 25, cursor: '' });

    expect(
      await errorOf(listKeywordTasks(userOf(1), { status: 'success', limit: 25, cursor: cursor ?? '' })),
    ).toMatch(/^422 /);
  });
});

describe('a task as its owner sees it', () => {
  const keywordRow = async (more: Partial<KeywordRow> = {}): Promise<KeywordRow> => {
    const { ids } = await givenKeywords(1, [{ key: 'Tea', loc_id: 2276 }]);
    const row = await readTaskRow(1, ids[0] ?? 0);
    if (row?.kind !== 'keyword') throw new Error('There is no row');
    return { ...row, ...more };
  };

  test.each([
    ['awaiting', 'awaiting', null],
    ['crawling', 'parsing', null],
    ['awaiting_webhook', 'parsing', null],
    ['success', 'success', true],
    ['error', 'error', false],
    ['dead_letter', 'dead_letter', false],
  ] as const)('that is %s is shown as %s', async (status, shown, complete) => {
    expect(keywordTaskOf(await keywordRow({ status }))).toMatchObject({ status: shown, complete });
  });

  test('that waits for the source says until when, as long as it waits', async () => {
    const row = await keywordRow({ postponed_to: start + 60, error_message: null });

    expect(keywordTaskOf(row, start + 59)).toMatchObject({
      error_message: 'throttled: the task waits for the source until 2027-01-15T08:01:00Z',
      waiting_until: start + 60,
    });
    expect(keywordTaskOf(row, start + 60)).toMatchObject({ error_message: null, waiting_until: null });
    expect(keywordTaskOf({ ...row, status: 'error', error_message: 'down: x' }, start)).toMatchObject({
      error_message: 'down: x',
      waiting_until: null,
    });
  });

  test.each([
    [packMetrics(volume(70)), 'success', [{ text: 'Tea', has_data: true }]],
    [packMetrics(noMetrics), 'success', [{ text: 'Tea', has_data: false }]],
    [undefined, 'success', []],
    [packMetrics(volume(70)), 'awaiting', []],
  ] as const)('has its metrics if it has succeeded: %j, %s', async (metrics, status, result) => {
    const row = await keywordRow({ status, ...(metrics && { metrics }) });

    expect(keywordTaskOf(row).result).toMatchObject(result);
    expect(keywordTaskOf(row).result).toHaveLength(result.length);
  });

  test('of ideas has the words of the interface', async () => {
    const { id } = await givenIdeas({ keywords: ['tea'] });
    const row = await readTaskRow(1, id);
    const concepts = [{ name: 'green', group: { name: 'Colours', type: 'NON_BRAND' } }];
    const ideas = [{ text: 'green tea', metrics: volume(9), concepts }];

    expect(
      ideasTaskOf(row as IdeasRow, { ideas, devices: [{ device: 'TV', searches: null }] }),
    ).toMatchObject({
      reused: false,
      results: [
        {
          text: 'green tea',
          has_data: true,
          keyword_idea_metrics: { avg_monthly_searches: 9 },
          keyword_annotations: {
            concepts: [{ name: 'green', concept_grop: { name: 'Colours', type: 'NON_BRAND' } }],
          },
        },
      ],
      aggregate_metric_results: [{ device: 'TV', search_count: 0 }],
    });
  });

  test('is found on its day, or on any day', async () => {
    const { ids } = await givenKeywords(1, [{ key: 'tea' }]);
    const [id = 0] = ids;
    const read = (day: string, user = 1) => readKeywordTask(userOf(user), id, day);

    expect((await read('2027-01-15')).id).toBe(id);
    expect((await read('')).id).toBe(id);
    expect(await errorOf(read('2027-01-14'))).toBe('404 Task not found');
    expect(await errorOf(read('', 2))).toBe('404 Task not found');
    vi.setSystemTime((start + 86_400) * 1000);
    expect(await errorOf(read(''))).toBe('404 Task not found');
  });

  test('of ideas is found by its owner', async () => {
    const { id } = await givenIdeas({ keywords: ['tea'] });

    expect(await readIdeasTask(userOf(1), id)).toMatchObject({ id, keywords: ['tea'], results: [] });
    expect(await errorOf(readIdeasTask(userOf(2), id))).toBe('404 Task not found');
    expect(await errorOf(readIdeasTask(userOf(1), 7))).toBe('404 Task not found');
  });

  test('of another kind is not found', async () => {
    const ideas = await givenIdeas({ keywords: ['tea'] });
    const { ids } = await givenKeywords(1, [{ key: 'tea' }]);

    expect(await errorOf(readKeywordTask(userOf(1), ideas.id, ''))).toBe('404 Task not found');
    expect(await errorOf(readIdeasTask(userOf(1), ids[0] ?? 0))).toBe('404 Task not found');
  });
});
