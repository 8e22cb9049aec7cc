/**
 * A release whose readers accept the next layout of each thing, and which still writes the present one
 * (expand and contract): everything is read, listed, worked on and written.
 */
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import type { Layout, StoredThing } from '../../../lib/store/layouts.ts';

vi.mock(import('../../../lib/store/layouts.ts'), async (importOriginal) => {
  const { layouts } = await importOriginal();
  const next = Object.entries<Layout>(layouts).map(
    ([thing, { rowVersion }]) => [thing, { rowVersion, readableVersion: rowVersion + 1 }] as const,
  );
  return { layouts: Object.fromEntries(next) } as never;
});
const { startWorld } = await import('./release-world.ts');
const world = await startWorld();
afterAll(() => world.stop());
beforeEach(() => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});

test('the rows of the next release are read like those of this one, and written again as this one does', async () => {
  const { ids, project, keyword_id, account } = world;
  const ofProject = `/api/v1/projects/${project.project_id}`;
  const paths = [
    '/api/v2/serp/crawl',
    `/api/v2/serp/crawl/${ids.ended}`,
    `/api/v2/serp/batches/${ids.batch}`,
    '/api/v1/keyword-sv?status=success',
    '/api/v1/projects',
    ofProject,
    `${ofProject}/keywords`,
    `/api/reporting/keywords/${keyword_id}/history`,
    `/api/v1/serp/crawl/${ids.ended}/html?page=1`,
  ];
  const read = async (path: string) => {
    const { status, body, headers } = await world.get(path);
    return { status, body, warnings: headers['x-warnings'] };
  };
  const before = await Promise.all(paths.map(read));
  expect(before.map(({ status }) => status)).toEqual(paths.map(() => 200));
  const things = Object.keys(world.places) as StoredThing[];
  for (const thing of things) {
    await world.change(thing, { version: world.layouts[thing].rowVersion + 1, added: 'by the next release' });
  }

  expect(await Promise.all(paths.map(read))).toEqual(before);

  const { claimCheck, listDueChecks } = await import('../../../lib/store/project-checks.ts');
  const [check] = await listDueChecks('alerts', world.now + 3600, 10);
  expect(check).toMatchObject({ ...world.check, baseline: '2026-11-24', version: 1 });
  expect(check && (await claimCheck(check, world.now + 600))).toMatchObject(world.check);
  const { listWorkOf } = await import('../../../lib/store/project-work.ts');
  const { finishWork } = await import('../../../lib/reporting/finish-work.ts');
  const [work] = await listWorkOf(account.id);
  expect(work && (await finishWork(work, () => false))).toBe(true);
  expect(await listWorkOf(account.id)).toEqual([]);
  const { findKeyword } = await import('../../../lib/store/projects.ts');
  expect(await findKeyword(account.id, keyword_id)).toEqual({ project_id: project.project_id, chunk: 0 });
  const { readAnswer } = await import('../../../lib/store/answers.ts');
  expect(await readAnswer(world.answer)).toMatchObject({ value: '["tea"]' });
  const { hasAllHtml } = await import('../../../lib/store/read-html.ts');
  expect(await hasAllHtml([world.html])).toBe(true);
  const { readSnapshot } = await import('../../../lib/store/snapshots.ts');
  expect(await readSnapshot(world.snapshot, world.now)).toBeDefined();
  const { readParked } = await import('../../../lib/store/parked-deliveries.ts');
  expect(await readParked(world.parked)).toMatchObject(world.parked);
  const { readAlert } = await import('../../../lib/store/read-alert.ts');
  expect(await readAlert(world.alert.object)).toMatchObject({ payload: { type: 'alert' } });
  const { readSearch, writeSearch } = await import('../../../lib/store/searches.ts');
  const { row, subscribers } = await readSearch(world.search_hash);
  expect(subscribers).toHaveLength(1);
  expect(row && (await writeSearch(row))).toBe(true);
  expect(await world.readItem(world.places.search)).toMatchObject({
    version: world.layouts.search.rowVersion,
    added: 'by the next release',
  });
  const { moveRow } = await import('../../../lib/store/tasks.ts');
  const key = { user_id: account.id, id: ids.ended };
  expect(await moveRow(key, { from: ['success'] }, { postback_retries_count: 1 })).toBe(true);
});
