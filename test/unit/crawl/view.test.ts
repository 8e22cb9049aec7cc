/** The fields of a task that say whether it waits, and whether its result is complete. */
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { v2TaskOf } from '../../../lib/crawl/view.ts';
import { V2Task } from '../../../lib/model/v2-task.ts';
import type { SerpRow } from '../../../lib/store/task-row.ts';

const now = 1_790_000_000;

const rowOf = (fields: Partial<SerpRow>): SerpRow => ({
  ...v.parse(V2Task, {
    id: 7,
    user_id: 1,
    keyword: 'tea',
    location_name: 'Canada',
    iso_code: 'CA',
    language_code: 'en',
    created_on: '2026-09-21',
    created_at: now,
    ttl: now + 86_400,
  }),
  kind: 'serp',
  version: 2,
  engine: 'google',
  snapshot_hash: '',
  html_folder: '',
  pages: [],
  attempt: 0,
  lease_until: 0,
  base_url: '',
  delivery: null,
  delivery_attempt: 0,
  complete: false,
  ...fields,
});

const waiting = 'throttled: the task waits for the engine until 2026-09-21T14:14:40Z';

test.each<[string, Partial<SerpRow>, Partial<V2Task>]>([
  ['a new task', {}, { complete: null, waiting_until: null, error_message: null }],
  [
    'a task that waits for its turn',
    { postponed_to: now + 80 },
    { complete: null, waiting_until: now + 80, error_message: waiting },
  ],
  [
    'a throttled task',
    { status: 'crawling', postponed_to: now + 80 },
    { complete: null, waiting_until: now + 80, error_message: waiting },
  ],
  [
    'a task whose wait is over',
    { status: 'crawling', postponed_to: now },
    { complete: null, waiting_until: null, error_message: null },
  ],
  [
    'a task that ended before its wait did',
    { status: 'error', postponed_to: now + 80, error_message: 'captcha: asked' },
    { complete: false, waiting_until: null, error_message: 'captcha: asked' },
  ],
  [
    'a task with its whole result',
    { status: 'success', complete: true },
    { complete: true, waiting_until: null, error_message: null },
  ],
  ['a task with a part of its result', { status: 'success' }, { complete: false, waiting_until: null }],
])('%s', (_, row, fields) => {
  expect(v2TaskOf(rowOf(row), null, now)).toMatchObject(fields);
});
