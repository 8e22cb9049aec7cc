/** What operators do, and what users do with their keys and webhooks. */
import { type Ledger, versionOf } from '../check/ledger.ts';
import type { Action } from '../plan/action.ts';
import { refusedMs } from '../world/faults.ts';
import type { World } from '../world/world.ts';
import type { Reply } from './clients.ts';
import type { User } from './users.ts';

type Options = {
  world: World;
  ledger: Ledger;
  userOf: (user: number) => User;
  adminKey: () => string;
  hookOf: (user: number) => string;
  /** Repeats a request whose outcome is unknown. */
  until: (work: () => Promise<Reply>) => Promise<Reply>;
};

/** How often an operator tries to erase a user, and after which pause. */
const mostTries = 100;
const repeatMs = 60_000;

/** A former secret signs for so long. */
const graceSeconds = 600;

/** From the answer about a disabled user until its links are tried. */
const linksEndMs = 30_000;

export const newOperators = ({ world, ledger, userOf, adminKey, hookOf, until }: Options) => {
  const { scheduler, ask } = world;

  const resend = async ({ user, at }: Action) => {
    const mine = ledger.acked.filter((it) => it.user === user && it.kind === 'serp' && it.hook);
    const task = mine[at % Math.max(1, mine.length)];
    if (!task) return;
    ledger.resent.set(task.id, (ledger.resent.get(task.id) ?? 0) + 1);
    await ask(userOf(user).key, 'POST', `/api/${versionOf(task)}/serp/crawl/${task.id}/postback`);
  };
  /**
   * Sends the parked webhooks of a user again, whose receiver is mended: the user those of searches, and an
   * operator the others, from their copies.
   */
  const resendParked = async ({ user }: Action): Promise<void> => {
    if (ledger.disabled.has(user) || ledger.keyless.has(user)) return;
    const rows = world.tables.all(world.name('TASKS_TABLE'));
    for (const task of ledger.acked.filter((it) => it.user === user && it.hook)) {
      const row = rows.find((each) => each.id === task.id && each.user_id === task.userId);
      if (row?.delivery_state !== 'parked') continue;
      ledger.resent.set(task.id, (ledger.resent.get(task.id) ?? 0) + 1);
      if (task.kind === 'serp') {
        const path = `/api/${versionOf(task)}/serp/crawl/${task.id}/postback`;
        const { status } = await until(() => ask(userOf(user).key, 'POST', path));
        if (status === 200) ledger.unparked.set(task.id, scheduler.now());
        continue;
      }
      const key = { user_id: task.userId, id: task.id, delivery: row.delivery };
      const isSent = await world.command('sendParked', key).catch(() => false);
      if (isSent) ledger.unparked.set(task.id, scheduler.now());
    }
  };
  const statusOf = (userId: number, id: number) =>
    world.tables
      .wire(world.name('TASKS_TABLE'))
      .find((row) => row.id?.N === String(id) && row.user_id?.N === String(userId))?.status?.S;
  /** Whether a message in a queue is about a task, by itself or with others. */
  const isQueued = (id: number): boolean =>
    ['CRAWL_QUEUE_URL', 'KEYWORD_QUEUE_URL']
      .flatMap((name) => world.queues.find(world.name(name)).bodies())
      .map((body) => JSON.parse(body) as { id?: number; more?: number[] })
      .some((message) => message.id === id || message.more?.includes(id));
  const redrive = async () => {
    for (const { userId, id, kind } of [...ledger.acked]) {
      if (kind === 'batch' || statusOf(userId, id) !== 'dead_letter') continue;
      ledger.redriven.add(id);
      const from = scheduler.now();
      const outcome = await world.command('redriveTask', { user_id: userId, id }).catch(() => undefined);
      const isQuiet = world.faults.struck().every(({ at }) => at < from - refusedMs);
      if (outcome === 'queued' && isQuiet && !isQueued(id))
        ledger.violate('tasks that are started again run', `no message is about task ${id}`);
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
  /** A new secret signs webhooks at once, and the former one for ten minutes more. */
  const rotateSecret = ({ user }: Action): Promise<Reply> =>
    ask(userOf(user).key, 'POST', `/api/v1/users/me/webhook-secret/rotate?grace=${graceSeconds}`);
  /** The links in webhooks of a user who was disabled lead nowhere. */
  const openLinks = async (user: number): Promise<void> => {
    await scheduler.sleep(linksEndMs);
    const arrival = world.receivers
      .arrivals()
      .findLast(({ url, body }) => url === hookOf(user) && body.html_url);
    if (!arrival) return;
    const path = new URL(String(arrival.body.html_url)).pathname;
    const { status } = await ask('', 'GET', path);
    if (status < 400) ledger.violate('access', `a link of a disabled user answers ${status}`);
  };
  const disable = async ({ user }: Action) => {
    const { id } = userOf(user);
    ledger.disabled.add(user);
    const path = `/api/v1/admin/users/${id}`;
    const { status } = await until(() => ask(adminKey(), 'PATCH', path, { enabled: false }));
    if (status !== 200) return;
    ledger.disabledAt.set(id, scheduler.now());
    await openLinks(user);
  };
  const erase = async ({ user }: Action) => {
    const { id } = userOf(user);
    ledger.erased.add(user);
    for (let tries = 0; tries < mostTries; tries++) {
      try {
        await world.command('eraseUser', id);
        world.history.add('operator', `user ${id} is erased`, true);
        return;
      } catch (error) {
        world.history.add('operator', `user ${id} is not erased: ${error}`, true);
        await scheduler.sleep(repeatMs);
      }
    }
  };

  return { resend, resendParked, redrive, rotate, rotateSecret, disable, erase };
};
