/** Users and operators: they carry out the actions of a plan, as a client program would. */
import type { Ledger } from '../check/ledger.ts';
import { home, placeOf } from '../plan/markets.ts';
import type { Action, Plan, Search } from '../plan/plan.ts';
import { hashText } from '../world/random.ts';
import type { World } from '../world/world.ts';
import type { Reply } from './clients.ts';
import { newProbers } from './probers.ts';
import { newSameKeys } from './same-keys.ts';
import { newTrackers } from './trackers.ts';

type User = { id: number; key: string };

/** The address of the receiver of a user. */
export const hookOf = (user: number): string => `https://receiver-${user}.example.com/hook`;

export const userOfHook = (url: string): number => Number(/receiver-(\d+)/.exec(url)?.[1] ?? 0);

const isUnknown = ({ status }: Reply): boolean => status >= 500;

const repeatMs = 20_000;
const mostTries = 12;

export const newUsers = (world: World, plan: Plan, ledger: Ledger) => {
  const { scheduler, ask } = world;
  const users = new Map<number, User>();
  let adminKey = '';

  const until = async (work: () => Promise<Reply>): Promise<Reply> => {
    for (let tries = 1; ; tries++) {
      const reply = await work();
      if (!isUnknown(reply) || tries === mostTries) return reply;
      await scheduler.sleep(repeatMs);
    }
  };

  const begin = async (): Promise<void> => {
    const make = world.exports().ensureFirstAccount as unknown as (
      settings: object,
    ) => Promise<{ apiKey: string }>;
    adminKey = (await make({ rateLimit: 0 })).apiKey;
    for (const user of plan.receivers.keys()) {
      const { body } = await until(() => ask(adminKey, 'POST', '/api/v1/users', { name: `user ${user}` }));
      users.set(user, { id: Number(body.id), key: String(body.api_key) });
    }
  };

  const ack = (
    user: number,
    body: Record<string, unknown>,
    search: Partial<Search>,
    kind: 'serp' | 'keyword',
  ) => {
    const { id, user_id } = body;
    const known = ledger.acked.find((it) => it.id === id && it.userId === user_id);
    if (known) return;
    ledger.acked.push({
      user,
      userId: Number(user_id),
      id: Number(id),
      kind,
      keyword: search.keyword ?? '',
      at: scheduler.now(),
      hook: search.hooked ? hookOf(user) : undefined,
      ...(search.depth !== undefined && { depth: search.depth }),
      domain: search.domain,
    });
  };

  const bodyOf = (user: number, { keyword, depth, domain, engine, hooked, market = home }: Search) => ({
    keyword,
    ...placeOf(market),
    ...(engine === 'google' && { depth }),
    ...(domain && { domain }),
    ...(hooked && { postback_url: hookOf(user) }),
  });

  /** Sends a request that creates tasks. With a key, it is repeated until its outcome is known. */
  const create = async (
    user: number,
    path: string,
    body: object,
    key?: string,
    headers = {},
  ): Promise<Reply> => {
    const { key: apiKey } = userOf(user);
    const send = () =>
      ask(apiKey, 'POST', path, body, { ...headers, ...(key && { 'Idempotency-Key': key }) });
    if (key === undefined) return send();
    const ids = new Set<string>();
    const reply = await until(send);
    if (reply.status === 200) ids.add(JSON.stringify(idsIn(reply)));
    // Once more, as a client does that has lost the answer.
    if (hashText(key) % 4 === 0) {
      const again = await until(send);
      if (again.status === 200) ids.add(JSON.stringify(idsIn(again)));
      if (ids.size > 1)
        ledger.violate('idempotency', `${key} made two sets of tasks: ${[...ids].join(' and ')}`);
    }
    return reply;
  };
  const idsIn = ({ body }: Reply) =>
    Array.isArray(body) ? body.map(({ id }: { id: number }) => id) : [body.id];
  const userOf = (user: number): User => {
    const found = users.get(user);
    if (!found) throw new Error(`There is no user ${user}`);
    return found;
  };

  const pathOf = ({ engine }: Search): string =>
    engine === 'google' ? '/api/v2/serp/crawl' : `/api/v1/serp/${engine}/crawl`;
  const sendSameKey = newSameKeys({
    plan,
    ledger,
    idOf: (user) => userOf(user).id,
    send: (user, it, key) =>
      until(() => ask(userOf(user).key, 'POST', pathOf(it), bodyOf(user, it), { 'Idempotency-Key': key })),
    ack: (user, { body }, it) => ack(user, body, it, 'serp'),
  });
  const search = async ({ user, search, isKeyed, at }: Extract<Action, { kind: 'search' }>) => {
    const path = pathOf(search);
    const key = isKeyed ? `search-${user}-${at}` : undefined;
    const reply = await create(user, path, bodyOf(user, search), key);
    if (reply.status !== 200) return;
    ack(user, reply.body, search, 'serp');
    ledger.alone.add(Number(reply.body.id));
    if (key !== undefined) await sendSameKey(user, search, key, Number(reply.body.id));
  };
  const single = async ({ user, search, isBeside }: Extract<Action, { kind: 'single' }>) => {
    const at = scheduler.now();
    const reply = await create(user, '/api/v2/serp/crawl', bodyOf(user, search));
    if (reply.status !== 200) return;
    ack(user, reply.body, search, 'serp');
    ledger.singles.push({ user, id: Number(reply.body.id), at, isBeside });
  };
  const live = async ({ user, search }: Extract<Action, { kind: 'live' }>) => {
    const path = '/api/v1/serp/bing/crawl/live';
    const reply = await create(user, path, bodyOf(user, { ...search, engine: 'bing' }));
    if (reply.status === 200) ack(user, reply.body, search, 'serp');
  };
  const batch = async ({ user, searches, isKeyed, at }: Extract<Action, { kind: 'batch' }>) => {
    const bodies = searches.map((it) => bodyOf(user, { ...it, engine: 'google' }));
    const headers = { 'x-batch-postback-url': hookOf(user) };
    const key = isKeyed ? `batch-${user}-${at}` : undefined;
    const reply = await create(user, '/api/v2/serp/crawl/google/batch', bodies, key, headers);
    if (reply.status !== 200) return;
    const tasks = reply.body as unknown as Record<string, unknown>[];
    for (const [n, task] of tasks.entries()) ack(user, task, searches[n] ?? {}, 'serp');
    const id = Number(reply.headers['x-batch-id']);
    if (ledger.acked.some((it) => it.id === id)) return;
    const userId = userOf(user).id;
    const ids = tasks.map((task) => Number(task.id));
    ledger.acked.push({
      user,
      userId,
      id,
      kind: 'batch',
      keyword: '',
      at: scheduler.now(),
      hook: hookOf(user),
      tasks: ids,
    });
  };
  const volumes = async ({ user, keywords, hooked, market }: Extract<Action, { kind: 'volumes' }>) => {
    const bodies = keywords.map((key) => ({
      key,
      loc_id: market.location,
      ...(hooked && { postback_url: hookOf(user) }),
    }));
    const reply = await create(user, '/api/v1/keyword-sv', bodies);
    if (reply.status !== 200) return;
    for (const [n, task] of (reply.body as unknown as Record<string, unknown>[]).entries())
      ack(user, task, { keyword: keywords[n] ?? '', hooked }, 'keyword');
  };
  const keywordData = async (action: Extract<Action, { kind: 'keyword data' }>) => {
    const { user, keywords, name, webhook } = action;
    const { id, key } = userOf(user);
    const hook = `${hookOf(user)}?id=$id`;
    const task = { keywords, location_code: 2840, ...(webhook !== 'none' && { [webhook]: hook }) };
    const path = `/compat/dataforseo/v3/keywords_data/google_ads/${name}/task_post`;
    const Authorization = `Basic ${Buffer.from(`${id}:${key}`).toString('base64')}`;
    const { status, body } = await create(user, path, [task], undefined, { Authorization });
    const [made] = (status === 200 && (body.tasks as { id: string; status_code: number }[] | null)) || [];
    if (made?.status_code !== 20100) return;
    // The first half of the id is that of the task.
    const number = Number.parseInt(made.id.replaceAll('-', '').slice(0, 16), 16);
    const search = { keyword: keywords[0] ?? '', hooked: webhook !== 'none' };
    ack(user, { id: number, user_id: id }, search, 'keyword');
  };
  const resend = async ({ user, at }: Action) => {
    const mine = ledger.acked.filter((it) => it.user === user && it.kind === 'serp' && it.hook);
    const task = mine[at % Math.max(1, mine.length)];
    if (!task) return;
    ledger.resent.set(task.id, (ledger.resent.get(task.id) ?? 0) + 1);
    await ask(userOf(user).key, 'POST', `/api/v1/serp/crawl/${task.id}/postback`);
  };
  const redrive = async () => {
    for (const { userId, id, kind } of [...ledger.acked]) {
      const row = kind === 'batch' ? undefined : rowOf(userId, id);
      if (row?.status !== 'dead_letter') continue;
      ledger.redriven.add(id);
      const again = world.exports().redriveTask as unknown as (key: object) => Promise<unknown>;
      await again({ user_id: userId, id }).catch(() => undefined);
    }
  };
  const rowOf = (userId: number, id: number) =>
    world.tables.all(world.name('TASKS_TABLE')).find((row) => row.id === id && row.user_id === userId);
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
    await until(() => ask(adminKey, 'PATCH', `/api/v1/admin/users/${id}`, { enabled: false }));
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

  const trackers = newTrackers({ world, ledger, keyOf: userOf, hookOf, until });

  const probers = newProbers({
    world,
    ledger,
    adminKey: () => adminKey,
    until,
    isOnTime: plan.skewSeconds === 0,
  });

  const act = (action: Action): Promise<unknown> => {
    if (ledger.erased.has(action.user)) return Promise.resolve();
    switch (action.kind) {
      case 'search':
        return search(action);
      case 'single':
        return single(action);
      case 'live':
        return live(action);
      case 'batch':
        return batch(action);
      case 'volumes':
        return volumes(action);
      case 'keyword data':
        return keywordData(action);
      case 'track':
        return trackers.track(action);
      case 'import':
        return trackers.importKeywords(action);
      case 'crawl now':
        return trackers.crawlNow(action);
      case 'tag':
        return trackers.tag(action);
      case 'note':
        return trackers.note(action);
      case 'untrack':
        return trackers.untrack(action);
      case 'pause':
        return trackers.pause(action);
      case 'resend':
        return resend(action);
      case 'redrive':
        return redrive();
      case 'probe':
        return probers.probe();
      case 'rotate key':
        return rotate(action);
      case 'disable':
        return disable(action);
      case 'erase':
        return erase(action);
      default:
        return Promise.resolve();
    }
  };
  return { begin, act, userOf, isReady: () => users.size === plan.receivers.length, admin: () => adminKey };
};

export type Users = ReturnType<typeof newUsers>;
