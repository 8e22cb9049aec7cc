/**
 * This release reads the items that the former release wrote. The layouts below are those of the former
 * release, copied by hand.
 */

import { gzipSync } from 'node:zlib';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clock } from '../../../lib/runtime/clock.ts';
import { layouts } from '../../../lib/store/layouts.ts';
import { resultKey, rowKey } from '../../../lib/store/partitions.ts';
import { accountOf } from '../account.ts';
import { startStores } from '../task/stores.ts';

const stores = await startStores();
const { dynamo } = await import('../../../lib/runtime/aws.ts');
const { s3 } = await import('../../../lib/runtime/s3.ts');
const { moveRow, readRow } = await import('../../../lib/store/tasks.ts');
const { readSnapshot } = await import('../../../lib/store/snapshots.ts');
const { readParked } = await import('../../../lib/store/parked-deliveries.ts');
const { readV2Task } = await import('../../../lib/crawl/read-task.ts');
const { planPages } = await import('../../../lib/crawl/plan-pages.ts');

afterAll(() => stores.stop());

const now = clock();

/** A waiting task as version 1 stored it. */
const formerRow = (id: number) => ({
  kind: 'google',
  user_id: 1,
  id,
  sharding: 0,
  status: 'awaiting',
  keyword: 'tea',
  location_name: 'Canada',
  iso_code: 'CA',
  language_code: 'en',
  domain: null,
  business_name: null,
  competitors: null,
  engine_domain: 'google.com',
  device: 'desktop',
  postback_url: null,
  post_id: '',
  keyword_id: null,
  priority: 1,
  frequency: 24,
  se_id: 0,
  depth: 10,
  snapshot_hash: 'former',
  html_folder: 'folder',
  pages: [
    {
      page: 1,
      url: 'https://www.google.com/search?q=tea&start=0',
      status: 'awaiting',
      retry_count: 0,
      html: '',
    },
  ],
  top_10: null,
  postback_retries_count: 0,
  retries_count: 0,
  created_on: '2026-11-21',
  created_at: now,
  succeed_at: 0,
  ttl: now + 86_400,
  error_message: null,
  crawled_at: 0,
  reused: false,
  complete: true,
  attempt: 0,
  lease_until: 0,
  base_url: 'https://here.example',
  delivery: null,
  delivery_attempt: 0,
  unfinished: String(id % 8),
  due_at: now + 900,
});

const put = (table: string | undefined, item: object) =>
  dynamo.send(new PutCommand({ TableName: table, Item: { ...item } }));

describe('a task of version 1', () => {
  beforeAll(() => put(process.env.TASKS_TABLE, { ...rowKey({ user_id: 1, id: 7 }), ...formerRow(7) }));

  test('is read as a SERP task of its engine', async () => {
    expect(await readRow(1, 7)).toMatchObject({
      kind: 'serp',
      engine: 'google',
      version: layouts.task.rowVersion,
      keyword: 'tea',
    });
  });

  test('can be claimed and moved to the next state', async () => {
    expect(await planPages({ user_id: 1, id: 7 })).toMatchObject({ outcome: 'claimed', attempt: 1 });
    expect(
      await moveRow({ user_id: 1, id: 7 }, { from: ['crawling'], attempt: 1 }, { status: 'parsing' }),
    ).toBe(true);
    expect(await readRow(1, 7)).toMatchObject({ kind: 'serp', engine: 'google', status: 'parsing' });
  });
});

test('a task of version 2 shows the hosts in its row, and its gzipped result', async () => {
  const result = { left: [], right: [] };
  const former = { result, tracking: null, pages: {}, total_results: '', search_time: null };
  const stored = { attempt: 1 };
  await put(process.env.TASKS_TABLE, {
    ...resultKey({ user_id: 1, id: 10 }, stored.attempt),
    bytes: gzipSync(JSON.stringify(former)),
    ttl: now + 86_400,
  });
  const row = { ...formerRow(10), kind: 'serp', engine: 'google', version: 2 };
  const ended = { status: 'success', stored, top_10: ['a.example'] };
  await put(process.env.TASKS_TABLE, { ...rowKey({ user_id: 1, id: 10 }), ...row, ...ended });

  expect(await readV2Task(accountOf(1), 10)).toMatchObject({
    status: 'success',
    result,
    top_10: ['a.example'],
  });
});

test('throws on a task that a later release wrote', async () => {
  await put(process.env.TASKS_TABLE, {
    ...rowKey({ user_id: 1, id: 8 }),
    ...formerRow(8),
    kind: 'serp',
    engine: 'google',
    version: layouts.task.rowVersion + 1,
  });

  await expect(readRow(1, 8)).rejects.toThrow('written by a later release');
});

test('reads a snapshot of version 1', async () => {
  const snapshot = {
    snapshot_hash: 'former',
    source: 'live',
    crawled_at: now - 60,
    pages: [{ page: 1, html: 'html/folder/1-1.html.gz' }],
    counted: [1],
    nothing_found: false,
    fit_for_tracking: true,
  };
  await put(process.env.SNAPSHOTS_TABLE, { ...snapshot, ttl: now + 86_400 });

  expect(await readSnapshot({ snapshot_hash: 'former', source: 'live' }, now)).toMatchObject(snapshot);
});

test('a delivery that version 1 parked can be sent again', async () => {
  const key = { user_id: 1, id: 9, delivery: 'msg_1_9_1' };
  const parked = {
    ...key,
    url: 'https://receiver.example/',
    parked_at: now,
    base_url: 'https://here.example',
    html: 'html/folder/1-1.html.gz',
    payload: {
      id: 9,
      status: 'error',
      keyword: 'tea',
      location_name: 'Canada',
      iso_code: 'CA',
      device: 'desktop',
      depth: 10,
      language_code: 'en',
      created_at: now,
      succeed_at: 0,
      result: null,
      tracking: null,
      top_domains: [],
      html_url: '',
      post_id: '',
      keyword_id: null,
      domain: null,
      error_message: 'captcha: the engine asked for proof that a person is searching',
      crawled_at: now,
      reused: false,
      complete: false,
    },
  };
  await s3.send(
    new PutObjectCommand({
      Bucket: process.env.BUCKET,
      Key: 'deliveries/1/9/msg_1_9_1.json',
      Body: JSON.stringify(parked),
    }),
  );

  const payload = { ...parked.payload, warnings: [] };
  expect(await readParked(key)).toEqual({ ...parked, payload, version: 2, kind: 'serp' });
});
