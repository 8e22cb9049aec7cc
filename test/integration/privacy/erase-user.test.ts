/** The export of a user, and its deletion: nothing of it stays, and nothing of others changes. */
import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  ReceiveMessageCommand,
} from '@aws-sdk/client-sqs';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startWorld } from '../reporting/tracked-world.ts';
import { at, expires, exportLines, giveTwo, namesOf, placesOf } from './erased-user.ts';
import type { Stored } from './stored-things.ts';

const world = await startWorld();
const { countUser, eraseUser } = await import('../../../lib/privacy/erase-user.ts');
const { exportUser } = await import('../../../lib/privacy/export-user.ts');
const { createV2Tasks } = await import('../../../lib/crawl/create.ts');
const { putResult } = await import('../../../lib/store/put-result.ts');
const { moveRow, readRow } = await import('../../../lib/store/tasks.ts');
const { readAccount } = await import('../../../lib/store/users.ts');
afterAll(() => world.stop());
afterEach(() => world.forget());

const day = 86_400;

let start = 1_800_000_000;
let erased = 777_000_001_000;
beforeEach(() => {
  start += 400 * day;
  erased += 1;
});

const exportOf = (id: number, now = start + 200) => exportLines(id, now);

/** The kinds of items that cannot be listed by user. */
const isTemporary = ({ place, item }: Stored): boolean => expires(place, item, start);

/** Two users with the same keywords, whose searches were crawled and are recorded. */
const givenTwo = () => giveTwo(world, erased, start);

describe('the export', () => {
  test('has every kind of thing, without secrets, as JSON lines that are the same each time', async () => {
    await givenTwo();

    const lines = (await exportOf(erased)).map((line) => JSON.parse(line));

    const kinds = Map.groupBy(lines, ({ kind }) => kind);
    expect(Object.fromEntries([...kinds].map(([kind, some]) => [kind, some.length]))).toMatchObject({
      account: 1,
      'search of version 1': 1,
      'volume task': 1,
      'ideas task': 2,
      import: 1,
      batch: 1,
      alert: 1,
      project: 1,
      keyword: 2,
      position: 2,
      'parked webhook': 1,
    });
    expect(kinds.get('search')?.length).toBeGreaterThanOrEqual(3);
    expect(kinds.get('search')?.find(({ data }) => data.keyword === 'a')).toMatchObject({
      data: { status: 'success', result: { left: [{ type: 'organic' }] } },
    });
    expect(kinds.get('search')?.find(({ data }) => data.keyword === 'form')).toBeDefined();
    expect(kinds.get('ideas task')?.flatMap(({ data }) => data.tag ?? [])).toEqual(['hers']);
    expect(kinds.get('project')).toMatchObject([{ data: { notes: [{ text: 'New prices' }] } }]);
    expect(kinds.get('keyword')).toMatchObject([{ data: { tags: ['hers'] } }, { data: { tags: ['hers'] } }]);
    expect(kinds.get('import')).toMatchObject([
      { data: { refused_lines: [{ row: 2 }], keywords_to_add: [{ keyword: 'to be added' }] } },
    ]);
    expect(kinds.get('position')?.[0].data.own_urls).toHaveLength(1);
    expect(kinds.get('alert')).toMatchObject([{ data: { webhook: { state: 'pending', attempts: [] } } }]);
    expect(await exportOf(erased)).toEqual(lines.map((line) => JSON.stringify(line)));
    const account = await readAccount(erased);
    const text = JSON.stringify(lines);
    for (const secret of [account?.signing_key, ...(account?.webhook_secrets ?? [])])
      expect(text).not.toContain(secret);
    expect(kinds.get('account')?.[0].data).not.toHaveProperty('key_hint');
  });

  test('has the history of a keyword with the changes of its page', async () => {
    await givenTwo();
    const { putHistory } = await import('../../../lib/store/observations.ts');
    const linesOf = async (...kinds: string[]) =>
      (await exportOf(erased)).map((line) => JSON.parse(line)).filter(({ kind }) => kinds.includes(kind));
    const { keyword_id, created_at } = (await linesOf('position'))[0].data;
    const { domain } = (await linesOf('keyword')).find(({ data }) => data.keyword_id === keyword_id).data;
    const entryAt = (at: number, url: string) => ({
      at,
      sightings: { [domain]: { position: 3, type: 'organic', url, title: '', snippet: '' } },
      features: [],
      cited: null,
    });
    await putHistory([
      { keyword_id, entry: entryAt(start + 110, 'https://own.example.com/b') },
      { keyword_id, entry: { at: start + 120, reason: 'late' } },
      { keyword_id, entry: entryAt(start + 130, 'https://own.example.com/b') },
    ]);

    const lines = await linesOf('position', 'gap');
    expect(lines.filter(({ data }) => data.keyword_id === keyword_id)).toMatchObject([
      { kind: 'position', data: { created_at, url_changed: false } },
      { kind: 'position', data: { created_at: start + 110, url_changed: true } },
      { kind: 'position', data: { created_at: start + 130, url_changed: false } },
      { kind: 'gap', data: { created_at: start + 120, reason: 'late' } },
    ]);
  });

  test('reads 10,000 tasks page by page', async () => {
    await world.user(erased);
    const { putRows } = await import('../../../lib/store/new-tasks.ts');
    const { GoogleCrawlRequest } = await import('../../../lib/model/crawl-request.ts');
    const { parse } = await import('valibot');
    const { accountOf } = await import('../account.ts');
    const request = parse(GoogleCrawlRequest, { keyword: 'tea', location_name: '', iso_code: 'CA' });
    const [task] = await createV2Tasks(accountOf(erased), [request], 'https://here.example', start);
    const row = await readRow(erased, task?.id ?? 0, start);
    if (!row) throw new Error('The task is gone');
    await putRows(Array.from({ length: 9999 }, (_, n) => ({ ...row, id: row.id - 1 - n })));
    let lines = 0;

    for await (const { kind } of exportUser(erased, '', { clock: start, calendar: start }))
      if (kind === 'search') lines += 1;

    expect(lines).toBe(10_000);
    const { counts } = await eraseUser(erased, at(start).options);
    expect(counts.tasks).toBe(10_000);
    expect(await namesOf(erased)).toEqual([]);
  });

  test('of an unknown user is an error', async () => {
    await expect(exportOf(4_000_000_000)).rejects.toMatchObject({ statusCode: 404 });
  });
});

describe('the deletion', () => {
  test('leaves nothing that names the user, and the export of another user as it was', async () => {
    const other = await givenTwo();
    const before = await exportOf(other);
    const { counts: announced } = await countUser(erased, start + 200);
    expect(await exportOf(erased)).not.toEqual([]);

    const { counts } = await eraseUser(erased, at(start + 200).options);

    const left = await namesOf(erased);
    expect(placesOf(left.filter((stored) => !isTemporary(stored)))).toEqual([]);
    expect(left.length).toBe(2);
    expect(await exportOf(other)).toEqual(before);
    expect(counts).toEqual(announced);
    expect(Object.entries(announced).filter(([, count]) => count === 0)).toEqual([]);
    await expect(exportOf(erased)).rejects.toMatchObject({ statusCode: 404 });
    expect(await eraseUser(erased, at(start + 200).options)).toMatchObject({ hasAccount: false });
  });

  test('lets the other subscribers crawl a shared search that the user paid for', async () => {
    const other = await world.user();
    await world.user(erased);
    const key = { now: start };
    await world.keyword(await world.project(erased), 'paid', { ...key, update_frequency: 1 });
    const keyword = await world.keyword(await world.project(other), 'paid', key);
    await world.plan(start);
    expect(world.takeQueued()).toMatchObject([{ user_id: erased }]);

    await eraseUser(erased, at(start + 10).options);

    await world.plan(start + 100);
    const [crawl] = world.takeQueued();
    expect(crawl).toMatchObject({ user_id: other });
    if (crawl) await world.end(crawl, { hosts: ['own.example.com'], crawled_at: start + 120 });
    await world.record(start + 400);
    expect(await world.historyOf(keyword, start + 500)).toHaveLength(1);
    expect(await namesOf(erased)).toEqual([]);
  });

  test.each([false, true])(
    'leaves no name in a search that it can no longer find: shared: %s',
    async (isShared) => {
      await world.user(erased);
      const project = await world.project(erased);
      const key = { now: start, update_frequency: 1 };
      await world.keyword(project, 'left', key);
      if (isShared) await world.keyword(await world.project(await world.user()), 'left', { now: start });
      await world.plan(start);
      const [crawl] = world.takeQueued();
      expect(crawl).toMatchObject({ user_id: erased });
      if (crawl) await world.end(crawl, { hosts: ['own.example.com'], crawled_at: start + 20 });
      await world.record(start + 400);
      const { removeProject } = await import('../../../lib/reporting/manage/projects.ts');
      await removeProject({ id: erased }, project.project_id, start + 410);

      await eraseUser(erased, at(start + 420).options);

      expect(await namesOf(erased)).toEqual([]);
    },
  );

  test('deletes the messages of webhooks that have no copy any more, and leaves those of others', async () => {
    await world.user(erased);
    const { putParked } = await import('../../../lib/store/parked-deliveries.ts');
    const other = { user_id: await world.user(), id: start, delivery: 'msg_2' };
    const text = { project_id: 1, project_name: 'Shop', alert_date: '2027-01-15', created_at: start };
    await putParked({
      kind: 'alert',
      ...other,
      url: 'https://own.example.com',
      parked_at: start,
      base_url: '',
      html: '',
      payload: { type: 'alert', id: start, ...text, changes: [] },
    });
    const Messages = [{ user_id: erased, id: start, delivery: 'msg_1' }, other].map((key) => ({
      Body: JSON.stringify(key),
      ReceiptHandle: key.delivery,
    }));
    world.queue.on(ReceiveMessageCommand).callsFake(() => ({ Messages: Messages.splice(0) }));
    world.queue.on(DeleteMessageCommand).resolves({});
    // SQS refuses it for a message that others can receive again by now.
    world.queue.on(ChangeMessageVisibilityCommand).rejects(new Error('MessageNotInflight'));

    await eraseUser(erased, at(start).options);

    const shown = world.queue.commandCalls(ChangeMessageVisibilityCommand);
    expect(shown.map(({ args }) => args[0].input.ReceiptHandle)).toEqual(['msg_2']);
    const deleted = world.queue.commandCalls(DeleteMessageCommand);
    expect(deleted.map(({ args }) => args[0].input.ReceiptHandle)).toEqual(['msg_1']);
  });

  test('gives up the crawl of a search that it can no longer find', async () => {
    const other = await world.user();
    await world.user(erased);
    const project = await world.project(erased);
    await world.keyword(project, 'running', { now: start, update_frequency: 1 });
    const keyword = await world.keyword(await world.project(other), 'running', { now: start });
    await world.plan(start);
    expect(world.takeQueued()).toMatchObject([{ user_id: erased }]);
    const { removeProject } = await import('../../../lib/reporting/manage/projects.ts');
    await removeProject({ id: erased }, project.project_id, start + 10);
    await eraseUser(erased, at(start + 20).options);

    await world.record(start + 400);
    expect(await namesOf(erased)).toEqual([]);
    expect(world.takeQueued()).toEqual([]);

    await world.plan(start + 460);
    const [crawl] = world.takeQueued();
    expect(crawl).toMatchObject({ user_id: other });
    if (crawl) await world.end(crawl, { hosts: ['own.example.com'], crawled_at: start + 480 });
    await world.record(start + 900);
    expect(await world.historyOf(keyword, start + 900)).toHaveLength(1);
  });

  test('takes the user out of the wish for the next crawl of a shared search', async () => {
    const other = await world.user();
    await world.user(erased);
    await world.keyword(await world.project(erased), 'asked', { now: start });
    const { search_hash } = await world.keyword(await world.project(other), 'asked', { now: start });
    const { newSearchRow, readSearch, writeSearch } = await import('../../../lib/store/searches.ts');
    const { subscribers } = await readSearch(search_hash);
    const [first] = subscribers;
    if (first) await writeSearch({ ...newSearchRow(first), at: start + day, asked_by: erased });

    await eraseUser(erased, at(start + 10).options);

    expect(await namesOf(erased)).toEqual([]);
    expect(await readSearch(search_hash)).toMatchObject({ row: { at: start + day }, subscribers: [{}] });
  });

  test('may be ended at any write, and called again', async () => {
    let write = 1;
    const step = 9;
    for (let died = true; died; write += step) {
      erased += 1;
      const other = await givenTwo();
      const before = await exportOf(other);
      const run = () => eraseUser(erased, at(start + 200).options);

      died = await world.dyingAt(write, write % 2 === 0, run);
      await run();

      expect(placesOf((await namesOf(erased)).filter((stored) => !isTemporary(stored)))).toEqual([]);
      expect(await exportOf(other)).toEqual(before);
      await world.forget();
      start += 400 * day;
    }
    expect(write).toBeGreaterThan(5 * step);
  });

  test('waits for a run that is under way, and finds what it writes last', async () => {
    await world.user(erased);
    const { GoogleCrawlRequest } = await import('../../../lib/model/crawl-request.ts');
    const { parse } = await import('valibot');
    const { accountOf } = await import('../account.ts');
    const request = parse(GoogleCrawlRequest, { keyword: 'tea', location_name: '', iso_code: 'CA' });
    const [task] = await createV2Tasks(accountOf(erased), [request], 'https://here.example', start);
    const row = await readRow(erased, task?.id ?? 0, start);
    if (!row) throw new Error('The task is gone');
    await moveRow(
      row,
      { from: ['awaiting'] },
      { status: 'crawling', attempt: 4, lease_until: start + 300, due_at: start + 360 },
    );
    const result = { left: [], right: [] };
    const late = at(start + 5, async () => {
      await putResult(
        { ...row, attempt: 4 },
        { result, tracking: null, pages: {}, total_results: '', search_time: null },
      );
      await moveRow(row, { from: ['crawling'], attempt: 4 }, { status: 'success' });
    });

    const { counts } = await eraseUser(erased, late.options);

    expect(late.waits[0]).toBe(355);
    expect(counts).toMatchObject({ tasks: 1 });
    expect(await namesOf(erased)).toEqual([]);
  });

  test('finds what the recorder writes after the project is gone', async () => {
    await world.user(erased);
    const project = await world.project(erased);
    const keyword = await world.keyword(project, 'late', { now: start });
    const { putPointers } = await import('../../../lib/store/projects.ts');
    const { keyword_id } = keyword;
    await putPointers(erased, [{ keyword_id, project_id: project.project_id, chunk: 0 }]);
    const { putHistory } = await import('../../../lib/store/observations.ts');
    const { requestCheck } = await import('../../../lib/store/project-checks.ts');
    const late = at(start, async () => {
      await putHistory([{ keyword_id, entry: { at: start, reason: 'late' } }]);
      await requestCheck({ kind: 'alerts', user_id: erased, project_id: project.project_id }, start + 1);
    });

    await eraseUser(erased, late.options);

    expect(late.waits).toEqual([60]);
    expect(await world.historyOf(keyword, start + 500)).toEqual([]);
    expect(await namesOf(erased)).toEqual([]);
  });

  test('disables the account first, and is refused for the only admin', async () => {
    await world.user(erased, { permissions: ['admin'] });
    await expect(eraseUser(erased, at(start).options)).rejects.toMatchObject({ statusCode: 409 });
    await expect(countUser(erased, start)).rejects.toMatchObject({ statusCode: 409 });
    expect(await readAccount(erased)).toMatchObject({ enabled: true });

    await world.user(erased + 500, { permissions: ['admin'], enabled: false });
    await expect(eraseUser(erased, at(start).options)).rejects.toMatchObject({ statusCode: 409 });

    await world.user(erased + 600, { permissions: ['admin'] });
    const seen: unknown[] = [];
    const { options } = at(start, async () => seen.push((await readAccount(erased))?.enabled));
    await eraseUser(erased, options);
    expect(seen).toEqual([false]);
    expect(await readAccount(erased)).toBeUndefined();
  });
});
