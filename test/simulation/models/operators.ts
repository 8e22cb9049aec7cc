/** What operators do, and what users do with their keys and webhooks. */
import type { Ledger } from '../check/ledger.ts';
import type { Action } from '../plan/action.ts';
import type { World } from '../world/world.ts';
import type { Reply } from './clients.ts';
import type { User } from './users.ts';

type Options = {
  world: World;
  ledger: Ledger;
  userOf: (user: number) => User;
  adminKey: () => string;
  /** Repeats a request whose outcome is unknown. */
  until: (work: () => Promise<Reply>) => Promise<Reply>;
};

/** How often an operator tries to erase a user, and after which pause. */
const mostTries = 12;
const repeatMs = 20_000;

export const newOperators = ({ world, ledger, userOf, adminKey, until }: Options) => {
  const { scheduler, ask } = world;

  const resend = async ({ user, at }: Action) => {
    const mine = ledger.acked.filter((it) => it.user === user && it.kind === 'serp' && it.hook);
    const task = mine[at % Math.max(1, mine.length)];
    if (!task) return;
    ledger.resent.set(task.id, (ledger.resent.get(task.id) ?? 0) + 1);
    await ask(userOf(user).key, 'POST', `/api/v1/serp/crawl/${task.id}/postback`);
  };
  const statusOf = (userId: number, id: number) =>
    world.tables
      .wire(world.name('TASKS_TABLE'))
      .find((row) => row.id?.N === String(id) && row.user_id?.N === String(userId))?.status?.S;
  const redrive = async () => {
    for (const { userId, id, kind } of [...ledger.acked]) {
      if (kind === 'batch' || statusOf(userId, id) !== 'dead_letter') continue;
      ledger.redriven.add(id);
      const again = world.exports().redriveTask as unknown as (key: object) => Promise<unknown>;
      await again({ user_id: userId, id }).catch(() => undefined);
    }
  };
  const rotate = async ({ user }: Action) => {
    const known = userOf(user);
    const reply = await ask(known.key, 'POST', '/api/v1/users/me/api-key/rotate?grace=3600');
    if (reply.status === 200) {
      known.key = String(reply.body.api_key ?? known.key);
      ledger.laterKeys.add(known.key);
    }
    // The former key works for an hour more, if the answer was lost.
    else if (reply.status >= 500) ledger.keyless.add(user);
  };
  const disable = async ({ user }: Action) => {
    const { id } = userOf(user);
    ledger.disabled.add(user);
    await until(() => ask(adminKey(), 'PATCH', `/api/v1/admin/users/${id}`, { enabled: false }));
  };
  const erase = async ({ user }: Action) => {
    const { id } = userOf(user);
    ledger.erased.add(user);
    const remove = world.exports().eraseUser as unknown as (id: number) => Promise<unknown>;
    for (let tries = 0; tries < mostTries; tries++) {
      try {
        await remove(id);
        world.history.add('operator', `user ${id} is erased`, true);
        return;
      } catch (error) {
        world.history.add('operator', `user ${id} is not erased: ${error}`, true);
        await scheduler.sleep(repeatMs);
      }
    }
  };

  return { resend, redrive, rotate, disable, erase };
};
