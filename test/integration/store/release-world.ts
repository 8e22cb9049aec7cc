/** One of each stored thing, written by this release, and where a test finds it. Import it dynamically. */
import { createHash } from 'node:crypto';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { DeleteCommand, GetCommand, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { vi } from 'vitest';
import { noMetrics } from '../../../lib/model/keyword-metrics.ts';
import type { Layout, StoredThing } from '../../../lib/store/layouts.ts';
import { schemas, type TableSchema } from '../../../lib/store/schema.ts';
import { callArea } from '../../api-call.ts';
import { areaOf, importAreas } from '../../contract/service.ts';
import { startStores } from '../task/stores.ts';

export type Attributes = Record<string, unknown>;

/** Where one thing of a kind is stored: an item of a table, an object of the bucket, or a stored page. */
type Place = { table: string; key: Attributes } | { object: string } | { page: string };

/** Starts the world with a fixed time, because links to pages have a time in them. */
export const startWorld = async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const stores = await startStores();
  const areas = await importAreas();
  const { dynamo } = await import('../../../lib/runtime/aws.ts');
  const { s3 } = await import('../../../lib/runtime/s3.ts');
  const { clock } = await import('../../../lib/runtime/clock.ts');
  const { layouts } = await import('../../../lib/store/layouts.ts');
  const { createAccount } = await import('../../../lib/access/create-account.ts');
  const { GoogleCrawlRequest } = await import('../../../lib/model/crawl-request.ts');
  const { createV2Tasks } = await import('../../../lib/crawl/create.ts');
  const { createV2Batch } = await import('../../../lib/crawl/create-batch.ts');
  const { moveRow, readRow } = await import('../../../lib/store/tasks.ts');
  const { putResult } = await import('../../../lib/store/put-result.ts');
  const { requestKey, rowKey, resultKey } = await import('../../../lib/store/partitions.ts');
  const { putSnapshot } = await import('../../../lib/store/snapshots.ts');
  const { putParked } = await import('../../../lib/store/parked-deliveries.ts');
  const { parkedObjectKey } = await import('../../../lib/store/drop-parked.ts');
  const { putAlertRow } = await import('../../../lib/store/alert-rows.ts');
  const { putAlert, alertObjectKey } = await import('../../../lib/store/put-alert.ts');
  const { putSentAlerts } = await import('../../../lib/store/project-alerts.ts');
  const { subscribe, writeSearch } = await import('../../../lib/store/searches.ts');
  const { putNote } = await import('../../../lib/store/notes.ts');
  const { writeImport } = await import('../../../lib/store/keyword-imports.ts');
  const { putPointers } = await import('../../../lib/store/projects.ts');
  const { beginWork } = await import('../../../lib/store/project-work.ts');
  const checks = await import('../../../lib/store/project-checks.ts');
  const { claimAnswer, storeAnswer } = await import('../../../lib/store/answers.ts');
  const { putHtml } = await import('../../../lib/store/html.ts');
  const { putHistory } = await import('../../../lib/store/observations.ts');
  const { putRequest } = await import('../../../lib/store/requests.ts');
  const { timeText } = await import('../../../lib/store/time-text.ts');
  const { packMetrics } = await import('../../../lib/store/packed-metrics.ts');
  const { createKeywordTasks } = await import('../../../lib/keyword/create.ts');
  const { batchIdOf } = await import('../../../lib/task/id.ts');
  const tracked = await import('../../tracked-project.ts');

  const now = clock();
  const { account, apiKey } = await createAccount({ rate_limit: 0, permissions: ['engines', 'admin'] });
  const other = await createAccount({ rate_limit: 0 });
  const user_id = account.id;
  const request = (keyword: string) => ({
    keyword,
    location_name: 'Canada',
    iso_code: 'CA',
    domain: 'shop.example',
    postback_url: 'https://receiver.example/hook',
  });
  const here = 'https://here.example';
  const parse = (...keywords: string[]) => v.parse(v.array(GoogleCrawlRequest), keywords.map(request));
  const [waiting, ended] = await createV2Tasks(account, parse('tea', 'milk'), here, now);
  if (!waiting || !ended) throw new Error('No tasks');
  const row = await readRow(user_id, ended.id, now);
  if (!row) throw new Error('No row');
  const stored = await putResult(
    { ...row, attempt: 1 },
    {
      result: { left: [], right: [] },
      tracking: null,
      pages: {},
      total_results: '12',
      search_time: 0.5,
      top_10: ['shop.example'],
    },
  );
  const html = await putHtml({ html_folder: row.html_folder, attempt: 1, page: 1 }, '<p>tea</p>', {
    '/hidden': 'https://shop.example/tea',
  });
  const pages = row.pages.map((page) => ({ ...page, html }));
  await moveRow(
    { user_id, id: ended.id },
    { from: ['awaiting', 'crawling', 'parsing'] },
    { status: 'success', attempt: 1, stored, succeed_at: now, crawled_at: now, complete: true, pages },
  );
  const members = await createV2Batch(account, parse('cup', 'pot'), here, {
    headers: { 'x-batch-postback-url': 'https://receiver.example/batch' },
  } as never);
  const batch = { user_id, id: batchIdOf(members[0]?.id ?? 0) };
  const [keyword] = await createKeywordTasks(
    account,
    [{ key: 'tea', loc_id: null, postback_url: null }] as never,
    here,
    {},
    now,
  );
  if (!keyword) throw new Error('No keyword task');
  await moveRow(
    { user_id, id: keyword.id },
    { from: ['awaiting', 'parsing'] },
    {
      status: 'success',
      metrics: packMetrics({ ...noMetrics, volume: 90 }),
      succeed_at: now,
      crawled_at: now,
    },
  );
  const search_hash = `${'f'.repeat(63)}0`;
  const search = tracked.keywordOf({ search_hash });
  const project = await tracked.storeProject(user_id, [search]);
  const { keyword_id } = search;
  await putPointers(user_id, [{ keyword_id, project_id: project.project_id, chunk: 0 }]);
  // A check that compares with the alert of a day, and work of a request that has not died yet.
  const check = { kind: 'alerts', user_id, project_id: project.project_id } as const;
  await checks.requestCheck(check, now - 60);
  const [due] = await checks.listDueChecks('alerts', now, 1);
  if (!due) throw new Error('No check');
  await checks.endCheck(due, now, '2026-11-24');
  await checks.requestCheck(check, now + 60);
  const work = await beginWork('add', { user_id, project_id: project.project_id }, now + 86_400, 'work');
  await putHistory([{ keyword_id, entry: tracked.observationOf(now - 3600, 3) }]);
  await subscribe(
    [
      {
        search,
        search_hash,
        keyword_id,
        user_id,
        project_id: project.project_id,
        chunk: 0,
        update_frequency: 24,
        first_at: now,
      },
    ],
    now,
  );
  await writeSearch({
    search_hash,
    search,
    state: 'due',
    at: now,
    next_at: now,
    crawl_at: 0,
    task_user: 0,
    task_id: 0,
    checks: 0,
    turns: 0,
    revision: 0,
  });
  const noteId = keyword_id + 2;
  await putNote(
    project.project_id,
    { note_id: noteId, date: '2026-11-22', text: 'New prices', created_at: now, changed_at: null },
    true,
  );
  const imported = {
    user_id,
    project_id: project.project_id,
    import_id: keyword_id + 1,
    status: 'done' as const,
    created_at: now,
    ended_at: now,
    lines: 2,
    accepted: 1,
    refused: 1,
    handled: 1,
    added: 1,
    existing: 0,
    first: 7,
    parts: 1,
    next_part: 1,
    refused_parts: 0,
    reason: null,
    searches_per_day: 1,
    monthly_cost_usd: 0.0071,
    ttl: now + 86_400,
    revision: 0,
  };
  await writeImport(imported);
  const snapshot = { snapshot_hash: 'a'.repeat(64), source: 'live' };
  await putSnapshot({
    ...snapshot,
    crawled_at: now - 60,
    pages: [],
    counted: [1],
    nothing_found: false,
    fit_for_tracking: true,
  });
  const answer = { snapshot_hash: 'b'.repeat(64), source: 'suggest' };
  await claimAnswer(answer, 'claim', { now: now - 2, until: now + 20, staleAt: 0 });
  await storeAnswer(answer, 'claim', { value: '["tea"]' }, now - 1, 3600);
  const alertObject = alertObjectKey(user_id, project.project_id, '2026-11-24');
  const payload = {
    type: 'alert' as const,
    id: keyword_id,
    project_id: project.project_id,
    project_name: 'Shop',
    alert_date: '2026-11-24',
    created_at: now,
    changes: [],
  };
  await putAlert(alertObject, {
    version: layouts['stored alert'].rowVersion,
    payload,
    baseline: {},
  });
  const alert = {
    user_id,
    id: keyword_id,
    object: alertObject,
    postback_url: 'https://receiver.example/hook',
    base_url: here,
    created_at: now,
  };
  await putAlertRow(alert);
  await putSentAlerts(project.project_id, [
    { alert_id: keyword_id, alert_date: '2026-11-24', created_at: now, changes: 0 },
  ]);
  const parked = { user_id, id: keyword_id, delivery: 'msg_1' };
  await putParked({
    kind: 'alert',
    ...parked,
    url: alert.postback_url,
    parked_at: now,
    base_url: here,
    html: '',
    payload,
  });

  const idempotency = { path: '/api/v2/serp/crawl', key: 'made once', body: 'hash' };
  await putRequest(
    user_id,
    idempotency,
    { body: 'hash', created_at: now, first: 9, lease_until: 0, accepted: true, ttl: now + 86_400 },
    now,
  );
  const idempotencyHash = createHash('sha256')
    .update(`${idempotency.path} ${idempotency.key}`)
    .digest('base64url');

  const { TASKS_TABLE = '', USERS_TABLE = '', TRACKING_TABLE = '', SNAPSHOTS_TABLE = '' } = process.env;
  const own = (id: number) => ({ user_id, id });
  const ofProject = `project#${project.project_id}`;
  const places: Record<StoredThing, Place> = {
    task: { table: TASKS_TABLE, key: rowKey(own(ended.id)) },
    result: { table: TASKS_TABLE, key: resultKey(own(ended.id), 1) },
    batch: { table: TASKS_TABLE, key: rowKey(batch) },
    alert: { table: TASKS_TABLE, key: rowKey(alert) },
    metrics: { table: TASKS_TABLE, key: rowKey(own(keyword.id)) },
    'stored alert': { object: alertObject },
    'sent alert': { table: TRACKING_TABLE, key: { pk: ofProject, sk: 'alert#2026-11-24' } },
    request: { table: TASKS_TABLE, key: requestKey(user_id, idempotencyHash) },
    'parked delivery': { object: parkedObjectKey(parked) },
    user: { table: USERS_TABLE, key: { id: other.account.id } },
    project: { table: TRACKING_TABLE, key: { pk: `user#${user_id}`, sk: `project#${project.project_id}` } },
    chunk: { table: TRACKING_TABLE, key: { pk: ofProject, sk: 'chunk#0000' } },
    note: { table: TRACKING_TABLE, key: { pk: ofProject, sk: `note#${noteId}` } },
    'keyword import': { table: TRACKING_TABLE, key: { pk: ofProject, sk: `import#${imported.import_id}` } },
    'keyword place': { table: TRACKING_TABLE, key: { pk: `user#${user_id}`, sk: `keyword#${keyword_id}` } },
    check: { table: TRACKING_TABLE, key: { pk: ofProject, sk: 'check#alerts' } },
    'project work': { table: TRACKING_TABLE, key: { pk: 'work', sk: `add#${project.project_id}#work` } },
    search: { table: TRACKING_TABLE, key: { pk: `search#${search_hash}`, sk: 'search' } },
    subscriber: { table: TRACKING_TABLE, key: { pk: `search#${search_hash}`, sk: `keyword#${keyword_id}` } },
    history: { table: TRACKING_TABLE, key: { pk: `keyword#${keyword_id}`, sk: timeText(now - 3600) } },
    snapshot: { table: SNAPSHOTS_TABLE, key: snapshot },
    answer: { table: SNAPSHOTS_TABLE, key: answer },
    'stored page': { page: html },
  };
  const readItem = async (place: Place): Promise<Attributes> => {
    if ('page' in place) {
      const get = new GetObjectCommand({ Bucket: process.env.BUCKET, Key: place.page });
      const { Body, Metadata } = await s3.send(get);
      return { file: await Body?.transformToByteArray(), ...Metadata };
    }
    if ('object' in place) {
      const get = new GetObjectCommand({ Bucket: process.env.BUCKET, Key: place.object });
      const { Body } = await s3.send(get);
      return JSON.parse((await Body?.transformToString()) ?? '');
    }
    const { table, key } = place;
    const { Item } = await dynamo.send(new GetCommand({ TableName: table, Key: key, ConsistentRead: true }));
    if (!Item) throw new Error(`No item ${JSON.stringify(key)}`);
    return Item;
  };
  const writeItem = async (place: Place, item: Attributes): Promise<void> => {
    if ('table' in place) {
      await dynamo.send(new PutCommand({ TableName: place.table, Item: item }));
      return;
    }
    if ('page' in place) {
      const { file, version } = item;
      const put = { Body: file as Uint8Array, Metadata: { version: String(version) } };
      await s3.send(new PutObjectCommand({ Bucket: process.env.BUCKET, Key: place.page, ...put }));
      return;
    }
    const Body = JSON.stringify(item);
    await s3.send(new PutObjectCommand({ Bucket: process.env.BUCKET, Key: place.object, Body }));
  };
  /** Changes the attributes of a stored thing. */
  const change = async (thing: StoredThing, fields: Attributes): Promise<Attributes> => {
    const item = await readItem(places[thing]);
    const changed = (): Attributes => {
      // The version of these two stands in their packed text.
      if (thing === 'metrics' && fields.version !== undefined) {
        const text = String(item.metrics).replace(/^\[\d+/, `[${fields.version}`);
        return { ...item, ...fields, version: item.version, metrics: text };
      }
      if (thing !== 'result') return { ...item, ...fields };
      const result = JSON.parse(brotliDecompressSync(item.bytes as Uint8Array).toString());
      return { ...item, bytes: brotliCompressSync(JSON.stringify({ ...result, ...fields })) };
    };
    await writeItem(places[thing], changed());
    return item;
  };

  /** Stores these things in place of all that the tables have. */
  const replaceAll = async (
    ofThings: Record<StoredThing, Place>,
    items: Record<string, Attributes>,
  ): Promise<void> => {
    for (const { variable, partitionKey, sortKey } of Object.values<TableSchema>(schemas)) {
      const TableName = process.env[variable];
      const names = [partitionKey.name, sortKey?.name];
      const { Items = [] } = await dynamo.send(new ScanCommand({ TableName }));
      for (const item of Items) {
        const Key = Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name)));
        await dynamo.send(new DeleteCommand({ TableName, Key }));
      }
    }
    for (const [thing, item] of Object.entries(items)) await writeItem(ofThings[thing as StoredThing], item);
  };

  return {
    ...stores,
    replaceAll,
    now,
    account,
    other,
    project,
    keyword_id,
    search_hash,
    snapshot,
    answer,
    html,
    check,
    work,
    alert,
    imported,
    idempotency,
    parked,
    ids: { waiting: waiting.id, ended: ended.id, batch: batch.id, keyword: keyword.id },
    layouts: layouts as Record<StoredThing, Layout>,
    places,
    readItem,
    writeItem,
    change,
    get: async (path: string, key = apiKey) => {
      const answer = await callArea(areas[areaOf(path.split('?')[0] ?? '')], {
        method: 'GET',
        path,
        headers: { Authorization: `Bearer ${key}` },
      });
      return { ...answer, json: answer.body ? JSON.parse(answer.body) : null };
    },
  };
};
