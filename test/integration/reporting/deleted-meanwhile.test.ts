/** Projects that are deleted while another request writes into them. */
import { AsyncLocalStorage } from 'node:async_hooks';
import * as v from 'valibot';
import { afterAll, expect, test, vi } from 'vitest';
import { AddKeywordsRequest } from '../../../lib/model/tracked-keyword.ts';
import { startTables } from '../../tables.ts';

const { stop } = await startTables();
afterAll(stop);
const { dynamo } = await import('../../../lib/runtime/aws.ts');
const { resource } = await import('../../../lib/runtime/env.ts');
const { readPartition } = await import('../../../lib/store/read-partition.ts');
const { importKeywords } = await import('../../../lib/reporting/manage/import-keywords.ts');
const { addKeywords } = await import('../../../lib/reporting/manage/add-keywords.ts');
const { createNote } = await import('../../../lib/reporting/manage/notes.ts');
const { createProject, removeProject } = await import('../../../lib/reporting/manage/projects.ts');
const { finishProjectWork } = await import('../../../lib/reporting/finish-work.ts');
const { listWork } = await import('../../../lib/store/project-work.ts');
const { planSearches } = await import('../../../lib/reporting/run/plan-searches.ts');
const { trackedSearchHash } = await import('../../../lib/reporting/search-hash.ts');
const { clock } = await import('../../../lib/runtime/clock.ts');
const { calendar } = await import('../../../lib/runtime/calendar.ts');
const { readSearch } = await import('../../../lib/store/searches.ts');
vi.spyOn(process.stdout, 'write').mockReturnValue(true);

/** What happens before one of the writes of a request. */
const interrupted = new AsyncLocalStorage<{ writes: number; at: number; by: () => Promise<unknown> }>();
dynamo.middlewareStack.add(
  (next, context) => async (args) => {
    const request = interrupted.getStore();
    if (request && /^(Put|Update|Delete|BatchWrite)/.test(String(context.commandName))) {
      request.writes += 1;
      if (request.writes === request.at) await interrupted.exit(request.by);
    }
    return next(args);
  },
  { step: 'initialize', name: 'interrupting', priority: 'high' },
);

const user = { id: 950 };
const requests = v.parse(
  AddKeywordsRequest,
  Array.from({ length: 60 }, (_, n) => ({ keyword: `tea ${n}`, iso_code: 'US' })),
);
const lines = {
  accepted: requests.map((request, n) => ({ row: n, place: n, request })),
  refused: [],
  errors: [],
};

const kinds = {
  import: (projectId: number) => importKeywords(user, projectId, lines, { on_error: 'skip', dry_run: false }),
  addition: (projectId: number) => addKeywords(user, projectId, requests, false),
  note: (projectId: number) => createNote(user, projectId, { date: '2026-11-22', text: 'x' }),
};

const itemsIn = async (value: string): Promise<unknown[]> => {
  const found: unknown[] = [];
  const partition = { table: resource('TRACKING_TABLE'), name: 'pk', value } as const;
  for await (const items of readPartition(partition, ['sk'])) found.push(...items);
  return found;
};

const rows = Object.entries({ import: 14, addition: 9, note: 4 }).flatMap(([kind, writes]) =>
  Array.from({ length: writes }, (_, n) => [kind as keyof typeof kinds, n + 1] as const),
);

test.each(rows)('%s: nothing remains of a project that is deleted at write %i', async (kind, at) => {
  const { project_id } = await createProject(user, {
    name: 'Shop',
    domain: 'example.com',
    competitors: [],
    locations: [],
    check_frequency: 24,
    alerts: null,
    click_rates: null,
  });
  const remove = () => removeProject(user, project_id, clock());
  let isDeleted = false;
  const by = async () => {
    isDeleted = true;
    await remove();
  };

  const request = () =>
    kinds[kind](project_id).catch((error) => {
      if (error.statusCode !== 404) throw error;
    });
  await interrupted.run({ writes: 0, at, by }, request);
  if (!isDeleted) await remove();
  const later = clock() + 3600;
  while ((await listWork(later)).length > 0) await finishProjectWork(later);
  await planSearches(undefined, calendar() + 7200);

  expect(await itemsIn(`project#${project_id}`)).toEqual([]);
  expect(await itemsIn(`user#${user.id}`)).toEqual([]);
  expect(await itemsIn('work')).toEqual([]);
  const subscribed = await Promise.all(
    requests.map((each) => readSearch(trackedSearchHash({ ...each, engine_domain: '' }))),
  );
  expect(subscribed.flatMap(({ subscribers }) => subscribers)).toEqual([]);
});
