/** Clients that try what they may not do: keys that are over, tasks of others, too many requests. */
import { type Ledger, versionOf } from '../check/ledger.ts';
import { home, placeOf } from '../plan/markets.ts';
import type { World } from '../world/world.ts';
import type { Reply } from './clients.ts';

type Options = {
  world: World;
  ledger: Ledger;
  adminKey: () => string;
  /** Repeats a request whose outcome is unknown. */
  until: (work: () => Promise<Reply>) => Promise<Reply>;
  /** Whether clocks are right, so that all processes count in the same minute. */
  isOnTime: boolean;
  /** Whether nothing goes wrong. */
  isStill: boolean;
};

const minute = 60_000;

/** An index shows a write up to 20 s late, and clocks differ by five minutes each. */
const knownMs = 11 * minute;

/** Requests a minute that the prober may make, and those that it makes. */
const limit = 5;
const requests = 9;

/** A search that is only ever sent in a batch that must be refused. */
export const refusedKeyword = 'refused with others';

/** For so long, a replaced key works beside the new one. */
const graceSeconds = 600;

const me = '/api/v1/users/me';

export const newProbers = ({ world, ledger, adminKey, until, isOnTime, isStill }: Options) => {
  const { scheduler, ask } = world;

  const expectRefused = async (what: string, key: string): Promise<void> => {
    const { status } = await ask(key, 'GET', me);
    if (status < 400) ledger.violate('access', `${what} was answered with ${status}`);
  };

  const readForeign = async (key: string): Promise<void> => {
    const task = ledger.acked.findLast(({ kind }) => kind === 'serp');
    if (!task) return;
    const version = versionOf(task);
    const batch = ledger.acked.findLast(({ kind }) => kind === 'batch');
    const volume = ledger.acked.findLast(({ kind }) => kind === 'keyword');
    const { projectId, keywordId } = ledger.tracked.at(-1) ?? {};
    const project = projectId === undefined ? undefined : `/api/v1/projects/${projectId}`;
    const paths = [
      ...['v1', 'v2'].map((each) => `/api/${each}/serp/crawl/${task.id}`),
      `/api/${version}/serp/crawl/${task.id}/deliveries`,
      `/api/v1/serp/crawl/${task.id}/html?page=1`,
      ...(batch ? [`/api/v2/serp/batches/${batch.id}`] : []),
      ...(volume ? [`/api/v1/keyword-sv/${volume.id}`] : []),
      ...(project ? ['', '/keywords', '/alerts', '/summary'].map((end) => `${project}${end}`) : []),
      ...(project ? ['', '/history'].map((end) => `${project}/keywords/${keywordId}${end}`) : []),
    ];
    for (const path of paths) {
      const { status } = await ask(key, 'GET', path);
      if (status < 400) ledger.violate('access', `${path} was shown to another user`);
    }
  };

  /** Reading 28: a batch with a search that is not valid is refused as a whole. */
  const sendHalfGood = async (key: string): Promise<void> => {
    const good = { keyword: refusedKeyword, ...placeOf(home) };
    const { status } = await ask(key, 'POST', '/api/v2/serp/crawl/google/batch', [
      good,
      { ...good, keyword: ' ' },
    ]);
    if (status < 400)
      ledger.violate('batches are whole', `a batch with a bad search was answered with ${status}`);
  };

  const exceedLimit = async (key: string): Promise<void> => {
    const now = scheduler.now();
    // In the middle of a minute: all requests count in the same one.
    await scheduler.sleep(minute - (now % minute) + minute / 4);
    const from = scheduler.now();
    let answered = 0;
    for (let n = 0; n < requests; n++) if ((await ask(key, 'GET', me)).status === 200) answered += 1;
    const isWithin = Math.floor(from / minute) === Math.floor(scheduler.now() / minute);
    if (isWithin && (answered > limit || (isStill && answered < limit)))
      ledger.violate('limits are kept', `${answered} requests were answered, and the limit is ${limit}`);
  };

  /** Replaces a key, which then works for some seconds more. Returns the new one. */
  const rotate = async (key: string, grace: number): Promise<string | undefined> => {
    const { status, body } = await ask(key, 'POST', `${me}/api-key/rotate?grace=${grace}`);
    // The one request about this key has changed it, or nothing has.
    if (status === 409)
      ledger.violate('access', `the only replacement of a key is refused: ${JSON.stringify(body)}`);
    return status === 200 ? String(body.api_key) : undefined;
  };

  /** A user that replaces its secret reads it, so that its receiver knows it. */
  const replaceSecret = async (key: string): Promise<void> => {
    const path = `${me}/webhook-secret`;
    const made = await ask(key, 'POST', `${path}/rotate?grace=0`);
    const read = await ask(key, 'GET', path);
    if (made.status === 200 && read.status === 200 && read.body.secret !== made.body.secret)
      ledger.violate('reads show the last write', 'a secret that was replaced is shown');
  };

  /** A further user reads tasks of others, asks too often, replaces its key twice, and is disabled. */
  const probe = async (): Promise<void> => {
    const made = await until(() => ask(adminKey(), 'POST', '/api/v1/users', { name: 'prober' }));
    if (made.status !== 200) return;
    const { id, api_key: first } = made.body as { id: number; api_key: string };
    await readForeign(first);
    await sendHalfGood(first);
    await replaceSecret(first);
    const change = (body: object) => until(() => ask(adminKey(), 'PATCH', `/api/v1/admin/users/${id}`, body));
    const limited = await change({ rate_limit: limit });
    if (limited.status === 200 && isOnTime) await exceedLimit(first);
    await scheduler.sleep(2 * minute);
    const second = await rotate(first, graceSeconds);
    if (second === undefined) return;
    const early = await ask(first, 'GET', me);
    if (isOnTime && early.status === 401)
      ledger.violate('access', 'a former key was refused before its time was over');
    await scheduler.sleep(graceSeconds * 1000 + (isOnTime ? minute : knownMs));
    await expectRefused('a former key', first);
    const third = await rotate(second, 0);
    if (third === undefined) return;
    await scheduler.sleep(knownMs);
    await expectRefused('a replaced key', second);
    if ((await change({ enabled: false })).status !== 200) return;
    await scheduler.sleep(minute);
    await expectRefused('the key of a disabled user', third);
  };
  return { probe };
};
