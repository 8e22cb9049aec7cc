/**
 * This release reads what each former one has stored. `releases/<version>.json` has one item of each thing,
 * as that release wrote it, and what it read from them. The file of the present version is written by this
 * test if it does not exist; delete it when a layout changes before the release is made.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, expect, test, vi } from 'vitest';
import { version } from '../../../lib/model/version.ts';
import type { StoredThing } from '../../../lib/store/layouts.ts';
import { type Attributes, startWorld } from './release-world.ts';

const world = await startWorld();
afterAll(() => world.stop());

type Stored = {
  now: number;
  layouts: object;
  places: typeof world.places;
  items: Record<string, Attributes>;
  read: object;
};

const folder = new URL('releases/', import.meta.url);
const fileOf = (release: string) => new URL(`${release}.json`, folder);

/** Tables have other names in each stage, and JSON has no bytes. */
const pack = (_: string, value: unknown) =>
  value instanceof Uint8Array ? { bytes: Buffer.from(value).toString('base64') } : value;
const unpack = (_: string, value: unknown) =>
  typeof value === 'object' && value !== null && 'bytes' in value && typeof value.bytes === 'string'
    ? Buffer.from(value.bytes, 'base64')
    : value;

const things = Object.keys(world.places) as StoredThing[];

/** Everything that the stores read from the items, as plain JSON. */
const readAll = async ({ places, items, now }: Pick<Stored, 'places' | 'items' | 'now'>): Promise<object> => {
  const { readRow, readReported, readTaskRow } = await import('../../../lib/store/tasks.ts');
  const { readResult } = await import('../../../lib/store/results.ts');
  const { readBatch } = await import('../../../lib/store/batches.ts');
  const { readAlert } = await import('../../../lib/store/read-alert.ts');
  const { listSentAlerts } = await import('../../../lib/store/project-alerts.ts');
  const { readRequest } = await import('../../../lib/store/requests.ts');
  const { readParked } = await import('../../../lib/store/parked-deliveries.ts');
  const { readAccount } = await import('../../../lib/store/users.ts');
  const { findKeyword, readProject } = await import('../../../lib/store/projects.ts');
  const { listDueChecks } = await import('../../../lib/store/project-checks.ts');
  const { listWorkOf, presentWork } = await import('../../../lib/store/project-work.ts');
  const { readAnswer } = await import('../../../lib/store/answers.ts');
  const { readPage } = await import('../../../lib/store/read-html.ts');
  const { readChunk } = await import('../../../lib/store/chunks.ts');
  const { readImport } = await import('../../../lib/store/keyword-imports.ts');
  const { listNotes } = await import('../../../lib/store/notes.ts');
  const { readSearch } = await import('../../../lib/store/searches.ts');
  const { listObservations } = await import('../../../lib/store/observations.ts');
  const { readSnapshot } = await import('../../../lib/store/snapshots.ts');
  const { unpackMetrics } = await import('../../../lib/store/packed-metrics.ts');
  const { listRows } = await import('../../../lib/store/lists.ts');
  const key = (thing: StoredThing) => {
    const { partition, id } = Object(items[thing]);
    return { user_id: Number.parseInt(partition, 10), id };
  };
  const task = await readRow(key('task').user_id, key('task').id, now);
  const keyword = await readTaskRow(key('metrics').user_id, key('metrics').id, now);
  const project = Object(items.project);
  const alertPlace = places['stored alert'];
  const { snapshot_hash, source } = Object(items.answer);
  const pagePlace = places['stored page'];
  const page = 'page' in pagePlace && (await readPage(pagePlace.page));
  const read = {
    task,
    tasks: (await listRows(key('task').user_id, { limit: 10 }, now)).rows.map(({ id }) => id),
    result: task && (await readResult(task)),
    batch: await readBatch(key('batch'), now),
    alert: await readReported(key('alert'), now),
    metrics: keyword?.kind === 'keyword' && unpackMetrics(keyword.metrics ?? ''),
    'stored alert': 'object' in alertPlace && (await readAlert(alertPlace.object)),
    'sent alert': items['sent alert'] && (await listSentAlerts(project.project_id)),
    request: items.request && (await readRequest(key('request').user_id, world.idempotency, now)),
    'parked delivery': await readParked(items['parked delivery'] as never),
    user: await readAccount(Number(items.user?.id)),
    project: await readProject(project.user_id, project.project_id),
    'keyword place': await findKeyword(
      project.user_id,
      Number(String(items['keyword place']?.sk).slice('keyword#'.length)),
    ),
    check: await listDueChecks('alerts', now + 3600, 10),
    'project work': (await listWorkOf(project.user_id)).map(presentWork),
    'stored page': page && [page.html, page.find?.('/hidden')],
    answer: await readAnswer({ snapshot_hash, source }),
    chunk: await readChunk(project.project_id, 0),
    'keyword import': items['keyword import'] && (await readImport(items['keyword import'] as never, now)),
    note: items.note && (await listNotes(project.project_id)),
    search: await readSearch(Object(items.search).search_hash),
    history: await listObservations(
      Number(String(items.history?.pk).slice('keyword#'.length)),
      { from: 0, to: now },
      now,
    ),
    snapshot: await readSnapshot(items.snapshot as never, now),
  };
  return JSON.parse(JSON.stringify(read, pack));
};

const itemsOf = async () =>
  Object.fromEntries(
    await Promise.all(
      things.map(async (thing) => [thing, await world.readItem(world.places[thing])] as const),
    ),
  );

if (!existsSync(fileOf(version))) {
  const { now, layouts, places } = world;
  const items = await itemsOf();
  await world.replaceAll(places, items);
  const stored: Stored = { now, layouts, places, items, read: await readAll({ places, items, now }) };
  mkdirSync(folder, { recursive: true });
  writeFileSync(fileOf(version), `${JSON.stringify(stored, pack, 1)}\n`);
}

const releases = readdirSync(folder).map((file) => file.replace('.json', ''));

test.each(releases)('what the release %s has stored is read as it read it', async (release) => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const stored: Stored = JSON.parse(readFileSync(fileOf(release), 'utf8'), unpack);
  await world.replaceAll(stored.places, stored.items);

  const read = await readAll(stored);

  // A later release may know more attributes, and writes another version.
  const expected = JSON.parse(
    JSON.stringify(stored.read, (name, value) => (name === 'version' ? undefined : value)),
  );
  expect(read).toMatchObject(expected);
});

test('the file of this release has its layouts, and one of each thing', () => {
  const { layouts, items }: Stored = JSON.parse(readFileSync(fileOf(version), 'utf8'));

  expect(layouts).toEqual(world.layouts);
  expect(Object.keys(items).toSorted()).toEqual(things.toSorted());
});
