/** Users: they carry out the actions of a plan, as a client program would. */

import type { WireItem } from '../../../infra/local/stores/wire-values.ts';
import { isFinal } from '../check/end.ts';
import type { Ledger } from '../check/ledger.ts';
import type { Messages } from '../check/messages.ts';
import type { Requests } from '../check/requests.ts';
import type { Action, Search } from '../plan/action.ts';
import { isStill, type Plan } from '../plan/plan.ts';
import { hashText } from '../world/random.ts';
import type { World } from '../world/world.ts';
import { newBatches } from './batches.ts';
import type { Reply } from './clients.ts';
import { newKeywordClients } from './keyword-clients.ts';
import { newLateReaders } from './late-readers.ts';
import { newLiveClients } from './live-clients.ts';
import { newOperators } from './operators.ts';
import { newProbers } from './probers.ts';
import { newReaders } from './readers.ts';
import type { Arrival } from './receivers.ts';
import { newRepeats } from './repeats.ts';
import { bodyOf, hookOf, userOfHook } from './requests.ts';
import { newSameKeys } from './same-keys.ts';
import { newTrackers } from './trackers.ts';
import { newVisitors } from './visitors.ts';

export type User = { id: number; key: string };

/** A request that died holds its key for 35 s, and its client repeats it each 20 s. */
const mostInProgress = 4;

/** What is known of the stores: the rows of tasks, and whether the request with a key was accepted. */
type Known = Pick<Requests & Messages, 'answered' | 'acknowledged'> & { rows: ReadonlyMap<number, WireItem> };

export const newUsers = (
  world: World,
  plan: Plan,
  ledger: Ledger,
  { rows, answered, acknowledged }: Known,
) => {
  const { scheduler, ask } = world;
  const users = new Map<number, User>();
  let adminKey = '';

  const { until, untilAccepted } = newRepeats(scheduler);

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
    version?: 'v1',
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
      ttl: Number(body.ttl ?? 0),
      engine: search.engine,
      ...(search.depth !== undefined && { depth: search.depth }),
      domain: search.domain,
      ...(version && { version }),
    });
  };

  /**
   * Of a request that is not answered, or is refused when it is sent again, it is not known whether it has
   * made tasks.
   */
  const noted = (user: number, reply: Reply): Reply => {
    if (reply.status >= 500 || [401, 409].includes(reply.status)) ledger.uncertain.add(user);
    return reply;
  };

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
    if (key === undefined) return noted(user, await send());
    const ids = new Set<string>();
    const reply = await untilAccepted(send, (tries) => {
      if (plan.skewSeconds === 0 && tries >= mostInProgress)
        ledger.violate('idempotency', `${key} was being accepted at ${tries} requests in a row`);
    });
    noted(user, reply);
    if (reply.status === 200) ids.add(JSON.stringify(idsIn(reply)));
    // Once more, as a client does that has lost the answer.
    if (hashText(key) % 4 === 0) {
      const again = await until(send);
      if (again.status === 200) ids.add(JSON.stringify(idsIn(again)));
      if (reply.status === 200 && again.status === 409)
        ledger.violate('idempotency', `${key} is being accepted after it was answered`);
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

  const readers = newReaders({ world, ledger, keyOf: (user) => userOf(user).key, rows });

  const pathOf = ({ engine }: Search): string =>
    engine === 'google' ? '/api/v2/serp/crawl' : `/api/v1/serp/${engine}/crawl`;
  const sendKeyed = (user: number, it: Search, key: string) =>
    ask(userOf(user).key, 'POST', pathOf(it), bodyOf(user, it), { 'Idempotency-Key': key });
  const sendSameKey = newSameKeys({
    plan,
    ledger,
    sleep: scheduler.sleep,
    idOf: (user) => userOf(user).id,
    send: async (user, it, key) => noted(user, await untilAccepted(() => sendKeyed(user, it, key))),
    ack: (user, { body }, it) => ack(user, body, it, 'serp'),
    answered,
  });
  const search = async ({ user, search, isKeyed, at }: Extract<Action, { kind: 'search' }>) => {
    const path = pathOf(search);
    const key = isKeyed ? `search-${user}-${at}` : undefined;
    const reply = await create(user, path, bodyOf(user, search), key);
    if (reply.status !== 200) return;
    const id = Number(reply.body.id);
    ack(user, reply.body, search, 'serp');
    ledger.alone.add(id);
    acknowledged(userOf(user).id, id);
    await readers.created(user, id);
    if (key === undefined) return;
    ledger.keyed.push({ user, search, key, id, ttl: Number(reply.body.ttl) });
    await sendSameKey(user, search, key, id);
  };
  const single = async ({ user, search, isBeside }: Extract<Action, { kind: 'single' }>) => {
    const at = scheduler.now();
    const reply = await create(user, '/api/v2/serp/crawl', bodyOf(user, search));
    if (reply.status !== 200) return;
    ack(user, reply.body, search, 'serp');
    ledger.singles.push({ user, id: Number(reply.body.id), at, isBeside });
  };
  const { live, liveAtRest } = newLiveClients({ world, plan, ledger, create, ack, bodyOf });
  const batch = newBatches({
    world,
    ledger,
    now: scheduler.now,
    create,
    ack,
    bodyOf,
    hookOf,
    idOf: (user) => userOf(user).id,
    read: (user, path) => ask(userOf(user).key, 'GET', path),
    hasEnded: (id) => isFinal(String(rows.get(id)?.status?.S)),
    send: async (user, path, body, headers) =>
      noted(user, await untilAccepted(() => ask(userOf(user).key, 'POST', path, body, headers))),
  });
  const keywords = newKeywordClients({
    create,
    ack,
    userOf,
    hookOf,
    ledger,
    scheduler,
    faults: world.faults,
    crashAll: world.lambda.replaceAll,
    skewSeconds: plan.skewSeconds,
  });
  const operators = newOperators({
    world,
    ledger,
    userOf,
    adminKey: () => adminKey,
    hookOf,
    until,
  });

  const readLate = newLateReaders({
    world,
    plan,
    ledger,
    keyOf: (user) => userOf(user).key,
    hookOf,
    until,
    repeat: async ({ user, search: it, key }) => noted(user, await sendKeyed(user, it, key)),
    ack: ({ user, search: it }, { body }) => ack(user, body, it, 'serp'),
  });

  const trackers = newTrackers({ world, ledger, keyOf: userOf, hookOf, until });

  const probers = newProbers({
    world,
    ledger,
    adminKey: () => adminKey,
    until,
    isOnTime: plan.skewSeconds === 0,
    isStill: isStill(plan),
  });

  const { visit } = newVisitors({
    world,
    ledger,
    adminKey: () => adminKey,
    until,
    skewSeconds: plan.skewSeconds,
  });

  const act = (action: Action): Promise<unknown> => {
    if (ledger.erased.has(action.user) && action.kind !== 'visit') return Promise.resolve();
    switch (action.kind) {
      case 'search':
        return search(action);
      case 'single':
        return single(action);
      case 'live':
        return action.isAtRest ? liveAtRest(action) : live(action);
      case 'batch':
        return batch(action);
      case 'volumes':
        return keywords.volumes(action);
      case 'keyword data':
        return keywords.keywordData(action);
      case 'live volumes':
        return keywords.liveVolumes(action);
      case 'live suggestions':
        return keywords.liveSuggestions(action);
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
      case 'untrack one':
        return trackers.untrackOne(action);
      case 'pause':
        return trackers.pause(action);
      case 'resend':
        return operators.resend(action);
      case 'resend parked':
        return operators.resendParked(action);
      case 'redrive':
        return operators.redrive();
      case 'probe':
        return probers.probe();
      case 'visit':
        return visit(action);
      case 'read late':
        return readLate(action.user);
      case 'rotate secret':
        return operators.rotateSecret(action);
      case 'rotate key':
        return operators.rotate(action);
      case 'disable':
        return operators.disable(action);
      case 'erase':
        return operators.erase(action);
      default:
        return Promise.resolve();
    }
  };
  return {
    begin,
    act,
    userOf,
    /** A webhook has arrived at the receiver of a user. */
    arrived: (arrival: Arrival) => readers.arrived(userOfHook(arrival.url), arrival),
  };
};

export type Users = ReturnType<typeof newUsers>;
