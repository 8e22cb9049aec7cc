/**
 * The upstream provider, as its documentation says: it takes orders, lists them, delivers their pages and
 * calls back. A bad one loses answers, refuses orders, is late, and calls back early, twice, never, or with
 * a token that is not ours.
 */
import type { EngineName } from '../../../lib/model/engine.ts';
import type { doubleOf } from '../../../lib/sandbox/engines.ts';
import { pageUrl } from '../../../lib/serp/address.ts';
import { home, markets } from '../plan/markets.ts';
import type { ProviderPlan } from '../plan/provider.ts';
import { hashText } from '../world/random.ts';
import type { Scheduler } from '../world/scheduler.ts';

/** A search that was ordered. `taskId`, `attempt`: of the service. Times are milliseconds. */
export type Order = {
  number: number;
  id: string;
  taskId: number;
  attempt: number;
  tag: string;
  engine: EngineName;
  keyword: string;
  device: 'desktop' | 'mobile';
  place: string;
  pages: number;
  at: number;
  /** When its pages are there; infinite if they never are. */
  readyAt: number;
  /** Whether the service gets no answer to it. */
  isLost: boolean;
  /** How often the service has asked for its pages, and how often it was called back. */
  asked: number;
  pings: number;
  /** When the service was first called back about pages that were there. */
  calledAt?: number;
};

type Call = { url: string; body?: string };

type Answer = { ok: true; status: number; headers: object; setCookies: string[]; body: string };
type Failure = { ok: false; reason: string };

export type ProviderOptions = {
  seed: number;
  plan: ProviderPlan;
  scheduler: Scheduler;
  /** Calls the service back, and gives the status of the answer. */
  ping: (path: string) => Promise<number>;
  /** Called for each order that is accepted. */
  onOrder?: ((order: Order) => void) | undefined;
  /** Called as a task is to be ordered. `isRefused`: whether the provider refuses it for ever. */
  onTried?: ((taskId: number, isRefused: boolean) => void) | undefined;
  /** Called as the service asks for the pages of an order. */
  onAsked?: ((order: Order) => void) | undefined;
  /** Called with the status of the answer to a call with a wrong token. */
  onForged?: ((order: Order, status: number) => void) | undefined;
};

const lost: Failure = { ok: false, reason: 'unreachable: the connection was reset' };

const answered = (status_code: number, tasks: object[], status = 200): Answer => ({
  ok: true,
  status,
  headers: {},
  setCookies: [],
  body: JSON.stringify({ status_code, status_message: 'A message.', tasks }),
});

const ofTask = (id: string, status_code: number, result: unknown = null): Answer =>
  answered(20000, [{ id, status_code, status_message: 'A message.', result }]);

const decoded = (keyword: string): string => decodeURIComponent(keyword.replaceAll('+', ' '));

/** A list shows an order so long after it was accepted (milliseconds). */
const listedMs = 2000;

/** A wrong time of a page is a day too early or too late. */
const dayMs = 86_400_000;

/** Its times have no parts of a second. */
const secondOf = (ms: number): number => Math.floor(ms / 1000) * 1000;

const dateOf = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} +00:00`;

/** `pure`: the pure modules of the script, which keep what they have drawn. */
export const newProvider = (options: ProviderOptions, pure: Record<string, unknown>) => {
  const { seed, plan, scheduler, ping } = options;
  const { doubleOf: draw } = pure['lib/sandbox/engines.ts'] as { doubleOf: typeof doubleOf };
  const orders: Order[] = [];
  let calls = 0;

  /** A number from 0 to 1 for a question about an order, or about a call. */
  const part = (what: string, number: number): number => hashText(`${seed}/${what} ${number}`) / 2 ** 32;
  const isBad = (what: string, number: number, chance: number): boolean =>
    !plan.isGood && part(what, number) < chance;

  const readyAfterMs = (number: number): number => {
    if (isBad('never ready', number, 0.15)) return Number.POSITIVE_INFINITY;
    return 2000 + part('ready', number) * (plan.isGood ? 10_000 : 240_000);
  };

  const callBack = async (order: Order, url: string): Promise<void> => {
    order.pings += 1;
    if (scheduler.now() >= order.readyAt) order.calledAt ??= scheduler.now();
    const path = url.replace(/^https?:\/\/[^/]*/, '');
    await ping(path.replace('$id', order.id).replace('$tag', encodeURIComponent(order.tag)));
  };
  /** Another last character of the token: its bits that count are others. */
  const forge = async (order: Order, url: string): Promise<void> => {
    const path = url.replace(/^https?:\/\/[^/]*/, '').replace(/.(?=\?)/, (c) => (c === 'A' ? 'Q' : 'A'));
    options.onForged?.(order, await ping(path));
  };
  const callsAt = ({ number, at, readyAt }: Order): number[] => {
    const times = isBad('early pingback', number, 0.3) ? [at + 400] : [];
    if (isBad('lost pingback', number, 0.15) || readyAt === Number.POSITIVE_INFINITY) return times;
    times.push(readyAt + 50);
    if (isBad('double pingback', number, 0.15)) times.push(readyAt + 50 + part('gap', number) * 3000);
    return times;
  };

  const takeOrder = async (engine: EngineName, body: string): Promise<Answer | Failure> => {
    const number = orders.length + 1;
    const trial = calls;
    const [posted] = JSON.parse(body);
    const [, taskId = 0, attempt = 0] = posted.tag.split('-').map(Number);
    const isRefused = isBad('refused order', trial, 0.05);
    options.onTried?.(taskId, isRefused);
    if (isRefused) return ofTask('', 40501);
    if (isBad('busy', trial, 0.06)) return answered(40202, []);
    if (isBad('failing', trial, 0.05)) return answered(50000, [], 500);
    const isEager = isBad('eager pingback', number, 0.1);
    const order: Order = {
      number,
      id: `11221234-1535-0066-0000-${String(number).padStart(12, '0')}`,
      taskId,
      attempt,
      tag: posted.tag,
      engine,
      keyword: decoded(posted.keyword),
      device: posted.device,
      place: posted.location_name ?? '',
      pages: posted.max_crawl_pages,
      at: scheduler.now(),
      readyAt: scheduler.now() + (isEager ? 0 : readyAfterMs(number)),
      isLost: isBad('lost order', number, 0.15),
      asked: 0,
      pings: 0,
    };
    orders.push(order);
    options.onOrder?.(order);
    if (posted.pingback_url) {
      const url = String(posted.pingback_url);
      for (const at of isEager ? [] : callsAt(order)) scheduler.at(at, () => void callBack(order, url));
      if (!plan.isGood && number % 4 === 0) scheduler.after(600, () => void forge(order, url));
      if (isEager) await callBack(order, url);
    }
    return order.isLost ? lost : ofTask(order.id, 20100);
  };

  const giveList = (body: string): Answer => {
    const [{ datetime_from, datetime_to, limit, offset }] = JSON.parse(body);
    const [from, to] = [Date.parse(datetime_from), Date.parse(datetime_to)];
    if (!(from < to)) return ofTask('', 40501);
    if (isBad('failing list', calls, 0.1)) return answered(50000, []);
    if (isBad('busy list', calls, 0.15)) return answered(40202, []);
    const rows = orders
      .filter(({ at }) => secondOf(at) >= from && secondOf(at) <= to && at + listedMs <= scheduler.now())
      .slice(offset, offset + limit)
      .map(({ id, tag }) => ({ id, metadata: { tag } }));
    return ofTask('11221234-0000-0066-0000-00000000000a', 20000, rows);
  };

  const htmlOf = ({ engine, keyword, device, place }: Order, page: number): string => {
    const { country, language, name } = markets.find((market) => market.name === place) ?? home;
    const at = { iso_code: country, location_name: name, language_code: language, engine_domain: '' };
    const url = pageUrl({ engine, keyword, device, ...at, depth: 10 }, page);
    return draw(engine)({ url, device, now: Math.floor(scheduler.now() / 1000) }).body;
  };
  const givePages = (id: string): Answer => {
    const order = orders.find((each) => each.id === id);
    if (!order) return ofTask(id, 40401);
    options.onAsked?.(order);
    order.asked += 1;
    if (isBad('failing delivery', calls, 0.08)) return answered(50000, [], 500);
    if (isBad('garbled delivery', calls, 0.05)) return { ...answered(20000, []), body: '<html>' };
    if (scheduler.now() < order.readyAt) return ofTask(id, 40602);
    const wrongMs = isBad('wrong time', order.number, 0.3) ? (order.number % 2 === 0 ? dayMs : -dayMs) : 0;
    const date = dateOf(scheduler.now() + wrongMs);
    const items = Array.from({ length: order.pages }, (_, n) => ({
      page: n + 1,
      date,
      html: htmlOf(order, n + 1),
    }));
    return ofTask(id, 20000, [{ items }]);
  };

  return {
    orders,
    /** Answers a request of the service. */
    call: async ({ url, body = '' }: Call): Promise<Answer | Failure> => {
      calls += 1;
      const number = calls;
      const { pathname } = new URL(url);
      // It takes an order in less than a second.
      const mostMs = plan.isGood ? 300 : pathname.endsWith('/task_post') ? 900 : 3000;
      await scheduler.sleep(50 + Math.floor(part('delay', number) * mostMs));
      const isLost = isBad('lost call', number, 0.03);
      if (pathname === '/v3/serp/id_list') return isLost ? lost : giveList(body);
      const [, engine, action, id = ''] =
        /^\/v3\/serp\/(google|bing|yahoo)\/organic\/(task_post|task_get\/html)(?:\/([\w-]+))?$/.exec(
          pathname,
        ) ?? [];
      if (action === 'task_post') return isLost ? lost : takeOrder(engine as EngineName, body);
      if (action === undefined) return answered(40400, [], 404);
      const pages = givePages(id);
      return isLost ? lost : pages;
    },
  };
};

export type Provider = ReturnType<typeof newProvider>;
