/** Everything that the stores have, and everything that a user can have in them. */
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { schemas } from '../../../lib/store/schema.ts';
import { accountOf } from '../account.ts';
import type { World } from '../reporting/tracked-world.ts';

const day = 86_400;

export type Stored = { place: string; item: Record<string, unknown>; text: string };

/** What is packed in an item or an object, as text. */
const unpacked = async (bytes: Uint8Array): Promise<string> => {
  try {
    return (await promisify(brotliDecompress)(bytes)).toString();
  } catch {
    return Buffer.from(bytes).toString('latin1');
  }
};

const textOf = async (item: Record<string, unknown>): Promise<string> => {
  const packed = Object.values(item).filter((value) => value instanceof Uint8Array);
  return `${JSON.stringify(item)} ${(await Promise.all(packed.map(unpacked))).join(' ')}`;
};

/** Reads every item of every table, and every object. */
export const readEverything = async (): Promise<Stored[]> => {
  const { dynamo } = await import('../../../lib/runtime/aws.ts');
  const all: Stored[] = [];
  for (const { variable } of Object.values(schemas)) {
    let from: Record<string, unknown> | undefined;
    do {
      const scan = new ScanCommand({ TableName: process.env[variable], ExclusiveStartKey: from });
      const { Items = [], LastEvaluatedKey } = await dynamo.send(scan);
      for (const item of Items) all.push({ place: variable, item, text: await textOf(item) });
      from = LastEvaluatedKey;
    } while (from);
  }
  const s3 = new S3Client({});
  const Bucket = process.env.BUCKET;
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket }));
  for (const { Key = '' } of Contents) {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
    const bytes = (await Body?.transformToByteArray()) ?? new Uint8Array();
    all.push({ place: 'BUCKET', item: { Key }, text: `${Key} ${await unpacked(bytes)}` });
  }
  return all;
};

const stringsOf = (length: number): string => Array.from({ length }, (_, n) => n * 7919).join('-');

/** Gives a user something of every kind. `start`: Unix time. Two users share the search `shared`. */
export const fillUser = async (world: World, userId: number, start: number): Promise<void> => {
  const { dynamo } = await import('../../../lib/runtime/aws.ts');
  const { createV1Tasks, createV2Tasks } = await import('../../../lib/crawl/create.ts');
  const { createFormTasks, createIdeasTask, createKeywordTasks } = await import(
    '../../../lib/keyword/create.ts'
  );
  const { createSearches } = await import('../../../lib/crawl/create.ts');
  const { noSearchOptions } = await import('../../../lib/model/search-options.ts');
  const { createNote } = await import('../../../lib/reporting/manage/notes.ts');
  const { putImportKey, putImportParts, writeImport } = await import('../../../lib/store/keyword-imports.ts');
  const { CrawlRequest, GoogleCrawlRequest } = await import('../../../lib/model/crawl-request.ts');
  const { IdeasRequest, KeywordDataTaskRequest } = await import('../../../lib/model/keyword-request.ts');
  const { putBatchResults } = await import('../../../lib/store/batch-results.ts');
  const { countInWindow } = await import('../../../lib/store/limits.ts');
  const { markTurn } = await import('../../../lib/store/pace-users.ts');
  const { putParked } = await import('../../../lib/store/parked-deliveries.ts');
  const { putPointers } = await import('../../../lib/store/projects.ts');
  const { putResult } = await import('../../../lib/store/put-result.ts');
  const { putRequest } = await import('../../../lib/store/requests.ts');
  const { moveRow, readTaskRow } = await import('../../../lib/store/tasks.ts');
  const { resource } = await import('../../../lib/runtime/env.ts');
  const { requestCheck } = await import('../../../lib/store/project-checks.ts');
  const { beginWork } = await import('../../../lib/store/project-work.ts');
  const { putAlert, alertObjectKey } = await import('../../../lib/store/put-alert.ts');
  const { putAlertRow } = await import('../../../lib/store/alert-rows.ts');
  const { putSentAlerts } = await import('../../../lib/store/project-alerts.ts');
  const user = accountOf(userId);
  const base = 'https://here.example';
  const postback_url = 'https://receiver.example/hook';
  const ask = { location_name: '', iso_code: 'CA', postback_url };

  // Searches of both versions: one with a large result, one whose pages were read again, one that runs.
  const requests = ['a', 'b', 'c'].map((keyword) => v.parse(GoogleCrawlRequest, { ...ask, keyword }));
  const tasks = await createV2Tasks(user, requests, base, start, { batch: { postbackUrl: postback_url } });
  const [old] = await createV1Tasks(
    user,
    'google',
    [v.parse(CrawlRequest, { ...ask, keyword: 'old' })],
    base,
    start,
  );
  const empty = { tracking: null, total_results: '', search_time: null, top_10: [] };
  const resultOf = (text: string) => ({
    left: [{ type: 'organic', title: text, url: 'https://a.example', position: '1' } as never],
    right: [],
  });
  for (const [n, { id }] of [...tasks, ...(old ? [old] : [])].entries()) {
    if (n === 2) continue;
    const row = await readTaskRow(userId, id, start);
    if (row?.kind !== 'serp') throw new Error('The task is gone');
    // A run that has died has left a result, too.
    await putResult({ ...row, attempt: 1 }, { ...empty, result: resultOf('dead'), pages: {} });
    const text = n === 0 ? stringsOf(20_000) : 'small';
    const result = { ...empty, result: resultOf(text), pages: {} };
    const parse = n === 1 ? 3 : 0;
    const stored = await putResult({ ...row, attempt: 2 }, result, parse);
    const changes = { status: 'success', attempt: 2, stored, complete: true, crawled_at: start } as const;
    await moveRow(
      row,
      { from: ['awaiting'] },
      { ...changes, succeed_at: start, ...(parse > 0 && { parses: parse }) },
    );
  }
  await putBatchResults(
    { user_id: userId, id: tasks[0]?.id ?? 0 },
    { format: 'csv', body: Buffer.from('a,b'), isGzipped: false },
  );
  const volume = v.parse(KeywordDataTaskRequest, { key: 'tea', postback_url });
  await createKeywordTasks(user, [volume], base, {}, start);
  const ideas = v.parse(IdeasRequest, { keywords: ['tea'], location_code: 2124, language_code: 'en' });
  const { id: ideasId } = await createIdeasTask(user, ideas, base, {}, start);
  const ideasRow = await readTaskRow(userId, ideasId, start);
  if (ideasRow?.kind !== 'ideas') throw new Error('The task is gone');
  const storedIdeas = await putResult({ ...ideasRow, attempt: 1 }, { ideas: [], devices: [] });
  await moveRow(ideasRow, { from: ['awaiting'] }, { status: 'success', attempt: 1, stored: storedIdeas });

  // Tasks in the form of another service, one of which waits to be collected.
  const asked = { keywords: ['tea'], location_code: 2124, language_code: 'en' };
  await createFormTasks(user, [{ ...asked, form: 'dataforseo', tag: 'hers' }], base, start);
  const form = { form: 'dataforseo', form_webhook: 'pingback' } as const;
  const search = { ...v.parse(CrawlRequest, { ...ask, keyword: 'form' }), ...noSearchOptions };
  await createSearches(user, [{ ...search, engine: 'google', depth: 10, ...form }], base, {}, start);

  const delivery = `msg_${userId}_${ideasId}_0`;
  await putParked({
    kind: 'alert',
    user_id: userId,
    id: ideasId,
    delivery,
    url: postback_url,
    parked_at: start,
    base_url: base,
    html: '',
    payload: {
      type: 'alert',
      id: ideasId,
      project_id: 1,
      project_name: 'Shop',
      alert_date: '2027-01-15',
      created_at: start,
      changes: [],
    },
  });

  // What has no list.
  await markTurn('google', userId, start);
  await markTurn('google/1', userId, start);
  await markTurn('google-ads', userId, start);
  await countInWindow(`user#${userId}`, start + 60);
  const record = { body: '', created_at: start, first: 0, lease_until: 0, accepted: true };
  await putRequest(userId, { path: '/p', key: 'k' } as never, { ...record, ttl: start + 86_400 }, start);

  // Rank tracking.
  const project = await world.project(userId, { alerts: { postback_url } as never });
  const names = { user_id: userId, project_id: project.project_id };
  for (const text of ['shared', `of one user ${String(userId).slice(0, 1)}`]) {
    const { keyword_id } = await world.keyword(project, text, { now: start, tags: ['hers'] });
    await putPointers(userId, [{ keyword_id, project_id: project.project_id, chunk: 0 }]);
  }
  await requestCheck({ kind: 'alerts', ...names }, start + 60);
  await requestCheck({ kind: 'volumes', ...names, chunk: 0 }, start + 60);
  await beginWork('add', names, start);
  await createNote(user, project.project_id, { date: '2027-01-15', text: 'New prices' }, start);
  // An import whose process has died, with a line that was refused.
  const named = { project_id: project.project_id, import_id: start * 2 ** 21 + 9 };
  const line = { n: 0, request: { keyword: 'to be added', location_name: '' } as never };
  const parts = await putImportParts(
    named,
    [line],
    [{ row: 2, column: 'device', message: 'not "hers"' }],
    start + day,
  );
  await writeImport({
    user_id: userId,
    ...named,
    ...parts,
    status: 'running',
    created_at: start,
    ended_at: null,
    lines: 2,
    accepted: 1,
    refused: 1,
    handled: 0,
    added: 0,
    existing: 0,
    first: 1,
    next_part: 0,
    reason: null,
    searches_per_day: 1,
    monthly_cost_usd: 0.01,
    ttl: start + day,
    revision: 0,
  });
  await putImportKey(project.project_id, 'her-key', { import_id: named.import_id, body: '' }, start);
  const object = alertObjectKey(userId, project.project_id, '2027-01-15');
  const alertId = start * 2 ** 21 + 5;
  await putAlert(object, { version: 1, payload: null, baseline: {} });
  await putAlertRow({
    user_id: userId,
    id: alertId,
    object,
    postback_url,
    base_url: base,
    created_at: start,
  });
  await putSentAlerts(project.project_id, [
    {
      alert_id: alertId,
      alert_date: '2027-01-15',
      created_at: start,
      changes: 1,
    },
  ]);
  // An item of a release that this one does not know.
  await dynamo.send(
    new PutCommand({
      TableName: resource('TASKS_TABLE'),
      Item: { partition: `${userId}#3`, id: 3, kind: 'of another release', ttl: 1 },
    }),
  );
};
