/**
 * Clients that come back a day later and after that: what a reply has promised is still there until its
 * time, and gone from then on, whether or not it is deleted yet (Readings 10, 33 and 44).
 */
import { type Acked, type Keyed, type Ledger, versionOf } from '../check/ledger.ts';
import type { Plan } from '../plan/plan.ts';
import type { World } from '../world/world.ts';
import type { Reply } from './clients.ts';

type Options = {
  world: World;
  plan: Plan;
  ledger: Ledger;
  keyOf: (user: number) => string;
  hookOf: (user: number) => string;
  /** Repeats a request whose outcome is unknown. */
  until: (work: () => Promise<Reply>) => Promise<Reply>;
  /** Sends a request with its key again. */
  repeat: (keyed: Keyed) => Promise<Reply>;
  /** Notes the task of a search that a repeated request made. */
  ack: (keyed: Keyed, reply: Reply) => void;
};

/** A request takes some time, and its process may have a wrong clock (seconds). */
const marginSeconds = 120;

/** A link to a page works for a day, and one with the time of its webhook is a little younger (seconds). */
const linkSeconds = 86_400;

/** So many tasks, requests and links of a user are tried at a time. */
const most = 6;

const listPaths = ['/api/v1/serp/crawl', '/api/v2/serp/crawl'];

export const newLateReaders = (options: Options) => {
  const { world, plan, ledger, keyOf, hookOf, until, repeat, ack } = options;
  const { scheduler, ask } = world;
  const margin = marginSeconds + plan.skewSeconds;
  const now = () => scheduler.now() / 1000;

  /** What a client must find at a time; undefined just around the end. */
  const expected = (end: number, at = now()): 'there' | 'gone' | undefined =>
    at < end - margin ? 'there' : at > end + margin ? 'gone' : undefined;

  /** The links of tasks that users have read, and until when they work. */
  const linksOf = new Map<number, Map<string, number>>();

  const get = (user: number, path: string) => until(() => ask(keyOf(user), 'GET', path));

  const readTask = async (task: Acked): Promise<void> => {
    const { user, id, keyword, ttl, kind } = task;
    const path = {
      batch: `/api/v2/serp/batches/${id}`,
      keyword: `/api/v1/keyword-sv/${id}`,
      serp: `/api/${versionOf(task)}/serp/crawl/${id}`,
    }[kind];
    const before = expected(ttl);
    const { status, body } = await get(user, path);
    if (before !== expected(ttl)) return;
    if (body.html_url) {
      const links = linksOf.get(user) ?? new Map<string, number>();
      linksOf.set(user, links.set(String(body.html_url), ttl + linkSeconds));
    }
    if (before === 'there' && status !== 200)
      ledger.violate(
        'promises are kept',
        `${kind} ${id} (${keyword}) answers ${status} ${ttl - now()} s before its ttl`,
      );
    if (before === 'there' && body.status === 'success' && Object.keys(body.result ?? {}).length === 0)
      ledger.violate(
        'promises are kept',
        `${kind} ${id} (${keyword}) has no result ${ttl - now()} s before its ttl`,
      );
    if (before === 'gone' && status !== 404)
      ledger.violate(
        'what has expired is gone',
        `${kind} ${id} answers ${status} ${now() - ttl} s after its ttl`,
      );
  };

  /** The same key gives the same tasks for a day, and new ones from then on. */
  const repeatRequest = async (keyed: Keyed): Promise<void> => {
    const { key, id, ttl } = keyed;
    const before = expected(ttl);
    const reply = await until(() => repeat(keyed));
    // 409: another process accepts it, or was about to as it died.
    if (before === undefined || before !== expected(ttl) || reply.status >= 500 || reply.status === 409)
      return;
    const isSame = Number(reply.body.id) === id;
    if (before === 'there' && !isSame)
      ledger.violate(
        'promises are kept',
        `${key} answers ${reply.status} with ${reply.body.id} before its day is over`,
      );
    if (before === 'gone' && (isSame || reply.status !== 200))
      ledger.violate(
        'what has expired is gone',
        `${key} answers ${reply.status} with ${reply.body.id} after its day`,
      );
    if (before === 'gone' && reply.status === 200) ack(keyed, reply);
  };

  const readList = async (user: number, path: string): Promise<void> => {
    const { status, body } = await get(user, path);
    if (status !== 200) return;
    for (const { id, ttl } of (body.items ?? []) as { id: number; ttl: number }[])
      if (expected(ttl) === 'gone')
        ledger.violate('what has expired is gone', `${path} has task ${id} ${now() - ttl} s after its ttl`);
  };

  /** A link to a page works for a day after its webhook or its task, and leads to a page that is stored. */
  const openLink = async (link: string, end: number): Promise<void> => {
    const before = expected(end);
    const { status, headers } = await until(() => ask('', 'GET', new URL(link).pathname));
    if (before !== expected(end)) return;
    const [, key = ''] =
      /^https:\/\/objects\.example\.com\/[^/]+\/(.*)\?signed$/.exec(headers.Location ?? '') ?? [];
    if (before === 'there' && (status !== 302 || !world.objects.has(key)))
      ledger.violate('promises are kept', `${link.slice(0, 60)} answers ${status} ${headers.Location}`);
    if (before === 'gone' && status === 302)
      ledger.violate('what has expired is gone', `${link.slice(0, 60)} works after its time`);
  };

  return async (user: number): Promise<void> => {
    if (ledger.erased.has(user) || ledger.disabled.has(user) || ledger.keyless.has(user)) return;
    const own = ledger.acked.filter((task) => task.user === user && task.ttl > 0).slice(-most);
    for (const task of own) await readTask(task);
    const links = world.receivers.arrivals().filter(({ url, body }) => url === hookOf(user) && body.html_url);
    for (const { body, headers } of links.slice(-most))
      await openLink(String(body.html_url), Number(headers['webhook-timestamp']) + linkSeconds);
    for (const [link, end] of [...(linksOf.get(user) ?? [])].slice(-most)) await openLink(link, end);
    for (const path of listPaths) await readList(user, path);
    for (const keyed of ledger.keyed.filter((each) => each.user === user).slice(-most))
      await repeatRequest(keyed);
  };
};
