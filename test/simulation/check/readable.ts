/** Rules about what clients read at the end: the result of each success, through the interface. */
import type { Users } from '../models/users.ts';
import type { World } from '../world/world.ts';
import type { Ledger } from './ledger.ts';

const minute = 60_000;

/** A task can be read for a day (Reading 10). */
const readableMs = 23 * 60 * minute;

/** So many tasks are read. */
const most = 8;

export const checkReadable = async (world: World, ledger: Ledger, users: Users): Promise<void> => {
  const tasks = ledger.acked
    .filter(({ kind }) => kind === 'serp')
    .filter(({ user }) => !ledger.erased.has(user) && !ledger.disabled.has(user) && !ledger.keyless.has(user))
    .filter(({ at }) => world.scheduler.now() < at + readableMs)
    .slice(-most);
  for (const { user, id, keyword } of tasks) {
    const { key } = users.userOf(user);
    void world.ask(key, 'GET', `/api/v1/serp/crawl/${id}`).then(({ status, body }) => {
      if (status === 404) return readV2(key, user, id, keyword);
      check(id, keyword, status, body);
    });
  }
  const readV2 = (key: string, _user: number, id: number, keyword: string) =>
    world
      .ask(key, 'GET', `/api/v2/serp/crawl/${id}`)
      .then(({ status, body }) => check(id, keyword, status, body));
  const check = (id: number, keyword: string, status: number, body: Record<string, unknown>) => {
    if (status !== 200) {
      ledger.violate('tasks are readable', `task ${id} (${keyword}) answers ${status}`);
      return;
    }
    // A task of version 1 without a result has an empty one.
    if (body.status === 'success' && Object.keys(body.result ?? {}).length === 0)
      ledger.violate('results are readable', `task ${id} (${keyword}) has no result`);
  };
  await world.scheduler.runUntil(world.scheduler.now() + minute);
};
