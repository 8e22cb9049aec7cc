/** Rules about lists at the end: they have all that was acknowledged, once. */
import type { Users } from '../models/users.ts';
import type { World } from '../world/world.ts';
import { checkKeywordLists } from './keyword-lists.ts';
import { type Acked, type Ledger, versionOf } from './ledger.ts';

const minute = 60_000;

/** A task is listed for a day (Reading 10). */
const listedMs = 23 * 60 * minute;

/** The list of version 1 has tasks of one status. */
const statuses = ['success', 'error', 'dead_letter'];

/** Few, so that lists have several pages. */
const limit = 5;

const functions = ['search_volume', 'keywords_for_keywords'] as const;

type Read = { id: number }[];

export const isListed = (world: World, ledger: Ledger, { user, at }: Acked): boolean =>
  !ledger.erased.has(user) &&
  !ledger.disabled.has(user) &&
  !ledger.keyless.has(user) &&
  world.scheduler.now() < at + listedMs;

/** The ids of all pages of a list; undefined if a page is not there. */
const readAll = async (world: World, key: string, path: string): Promise<number[] | undefined> => {
  const ids: number[] = [];
  for (let cursor = ''; ; ) {
    const query = `&limit=${limit}&fields=id&cursor=${encodeURIComponent(cursor)}`;
    const { status, body } = await world.ask(key, 'GET', `${path}${query}`);
    if (status !== 200) return undefined;
    ids.push(...(body.items as Read).map(({ id }) => id));
    if (body.cursor === null) return ids;
    cursor = String(body.cursor);
  }
};

/** The ids of the tasks of the form of DataForSEO that are ready. */
const readReady = async (world: World, { id, key }: { id: number; key: string }): Promise<number[]> => {
  const headers = { Authorization: `Basic ${Buffer.from(`${id}:${key}`).toString('base64')}` };
  const ids: number[] = [];
  for (const name of functions) {
    const path = `/compat/dataforseo/v3/keywords_data/google_ads/${name}/tasks_ready`;
    const { body } = await world.ask(key, 'GET', path, undefined, headers);
    const [task] = (body.tasks ?? []) as { result?: { id: string }[] | null }[];
    ids.push(
      ...(task?.result ?? []).map((ready) => Number.parseInt(ready.id.replaceAll('-', '').slice(0, 16), 16)),
    );
  }
  return ids;
};

/** Collects a task in the form of DataForSEO. */
const collect = async (
  world: World,
  { id, key }: { id: number; key: string },
  task: Acked,
): Promise<void> => {
  const headers = { Authorization: `Basic ${Buffer.from(`${id}:${key}`).toString('base64')}` };
  const path = `/compat/dataforseo/v3/keywords_data/google_ads/${task.form?.name}/task_get/${task.form?.id}`;
  await world.ask(key, 'GET', path, undefined, headers);
};

/** Reads the lists of all users, and violates what does not hold. No fault strikes any more. */
export const checkLists = async (world: World, ledger: Ledger, users: Users): Promise<void> => {
  const listed = ledger.acked.filter((task) => isListed(world, ledger, task));
  for (const [user, own] of Map.groupBy(listed, (task) => task.user)) {
    const account = users.userOf(user);
    const searches = own.filter(({ kind }) => kind === 'serp');
    const read = async (version: 'v1' | 'v2', paths: readonly string[]): Promise<void> => {
      const wanted = searches.filter((task) => versionOf(task) === version);
      if (wanted.length === 0) return;
      const ids: number[] = [];
      for (const path of paths) ids.push(...((await readAll(world, account.key, path)) ?? []));
      for (const { id, keyword } of wanted) {
        const count = ids.filter((each) => each === id).length;
        if (count !== 1)
          ledger.violate(
            'lists are complete',
            `the list of ${version} has task ${id} (${keyword}) ${count} times`,
          );
      }
    };
    const stateOf = (id: number) =>
      world.tables.all(world.name('TASKS_TABLE')).find((row) => row.id === id && row.user_id === account.id)
        ?.delivery_state;
    const check = async (): Promise<void> => {
      await read('v2', ['/api/v2/serp/crawl?status=all']);
      await read(
        'v1',
        statuses.map((status) => `/api/v1/serp/crawl?status=${status}`),
      );
      // A result that is sent to its client is to be collected only if no attempt has delivered it.
      const forms = own.filter(
        ({ id, form }) => form && (form.webhook !== 'postback_url' || stateOf(id) === 'parked'),
      );
      const [first] = forms;
      if (!first) return;
      const before = await readReady(world, account);
      const missing = forms.find(({ id }) => !before.includes(id));
      if (missing) ledger.violate('lists are complete', `task ${missing.id} is not ready to be collected`);
      await collect(world, account, first);
      if ((await readReady(world, account)).includes(first.id))
        ledger.violate('lists are complete', `task ${first.id} is ready after it was collected`);
    };
    void check();
  }
  void checkKeywordLists(world, ledger, users);
  await world.scheduler.runUntil(world.scheduler.now() + minute);
};
