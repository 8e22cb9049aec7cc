/**
 * A server of ours that speaks the interface of the upstream provider. The first word of a keyword chooses
 * how it behaves; its pages are those of the sandbox. It counts what it is asked.
 */

import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { countries } from '../lib/model/country.ts';
import type { EngineName } from '../lib/model/engine.ts';
import { countryName } from '../lib/place/names.ts';
import { doubleOf } from '../lib/sandbox/engines.ts';

/** A task as it is posted. */
export type Order = {
  id: string;
  engine: EngineName;
  keyword: string;
  device: 'desktop' | 'mobile';
  se_domain: string;
  language_code: string;
  depth: number;
  max_crawl_pages: number;
  tag: string;
  pingback_url?: string;
  location_name?: string;
  [field: string]: unknown;
};

type Answer = { status?: number; body: string };

const envelope = (status_code: number, status_message: string, tasks: unknown[] | null): string =>
  JSON.stringify({
    version: '0.1.20261109',
    status_code,
    status_message,
    time: '0.0818 sec.',
    cost: 0.0006,
    tasks_count: tasks?.length ?? 0,
    tasks_error: 0,
    tasks,
  });

const taskAnswer = (
  id: string,
  status_code: number,
  status_message: string,
  result: unknown = null,
): Answer => ({
  body: envelope(20000, 'Ok.', [
    {
      id,
      status_code,
      status_message,
      time: '0.0038 sec.',
      cost: 0.0006,
      result_count: 0,
      path: [],
      data: {},
      result,
    },
  ]),
});

/** A request for the list of tasks. */
type ListRequest = {
  datetime_from: string;
  datetime_to: string;
  limit?: number;
  offset?: number;
  include_metadata?: boolean;
};

const account = (status: number, code: number, message: string): Answer => ({
  status,
  body: envelope(code, message, null),
});

/** What the provider reads in a keyword: `%xx` is decoded, and `+` is a space. */
const decoded = (keyword: string): string => decodeURIComponent(keyword.replaceAll('+', ' '));

/** The country at the end of a place; the United States for coordinates. */
const countryIn = (place = ''): string =>
  [...countries].find((code) => countryName(code) === place.split(',').at(-1)) ?? 'US';

const urlOf = (
  { engine, se_domain, language_code, location_name }: Order,
  keyword: string,
  page: number,
): string => {
  const url = new URL(`https://${engine === 'yahoo' ? '' : 'www.'}${se_domain}/search`);
  if (engine === 'google') {
    url.search = String(
      new URLSearchParams({
        q: keyword,
        hl: language_code,
        gl: countryIn(location_name).toLowerCase(),
        start: String(10 * (page - 1)),
      }),
    );
  } else if (engine === 'bing') {
    url.search = String(new URLSearchParams({ q: keyword, first: String(10 * (page - 1) + 1) }));
  } else {
    url.search = String(new URLSearchParams({ p: keyword, b: String(7 * (page - 1) + 1), pz: '7' }));
  }
  return url.href;
};

const htmlOf = (order: Order, keyword: string, page: number): string =>
  doubleOf(order.engine)({
    url: urlOf(order, keyword, page),
    device: order.device,
    now: Math.floor(Date.now() / 1000),
  }).body;

const dateOf = (milliseconds: number): string =>
  new Date(milliseconds)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, ' +00:00');

const delivered = (order: Order, keyword = decoded(order.keyword), pages = order.max_crawl_pages): Answer =>
  taskAnswer(order.id, 20000, 'Ok.', [
    {
      keyword,
      type: 'organic',
      se_domain: order.se_domain,
      language_code: order.language_code,
      datetime: dateOf(Date.now()),
      items_count: pages,
      items: Array.from({ length: pages }, (_, n) => ({
        page: n + 1,
        date: dateOf(Date.now()),
        html: htmlOf(order, keyword, n + 1),
      })),
    },
  ]);

const inQueue = (order: Order): Answer => taskAnswer(order.id, 40602, 'Task In Queue.');

/**
 * How the provider behaves to a search. A number of milliseconds is the delay of a pingback after the order.
 */
type Behaviour = {
  order?: (order: Order, earlier: number) => Answer | undefined;
  /** `asked`: number of earlier requests for the pages. `age`: milliseconds since the order. */
  collect?: (order: Order, asked: number, age: number) => Answer;
  pings?: number[];
  pingUrl?: (url: string) => string;
  /** Calls back before it answers the order. */
  isEager?: boolean;
  /** Accepts the order although its answer says that it does not. */
  isLost?: boolean;
};

/** The milliseconds until a late search is ready. */
const lateMs = 2500;

/**
 * The milliseconds until a search is ready that is asked for too early. On a busy machine, the first request
 * may come at the deadline, and there is no second one after it.
 */
const hastyMs = 4000;

const behaviours: Record<string, Behaviour> = {
  late: {
    pings: [lateMs],
    collect: (order, _, age) => (age < lateMs ? inQueue(order) : delivered(order)),
  },
  double: { pings: [50, 50, 60, 1000] },
  hasty: {
    pings: [20, 1500, 4000],
    collect: (order, asked, age) => (asked === 0 && age < hastyMs ? inQueue(order) : delivered(order)),
  },
  eager: { isEager: true, pings: [] },
  never: { pings: [], collect: inQueue },
  silent: { pings: [] },
  forging: { pings: [50], pingUrl: (url) => url.replace(/.(?=\?)/, (last) => (last === 'A' ? 'B' : 'A')) },
  refused: { order: ({ id }) => taskAnswer(id, 40501, "Invalid Field: 'location_name'.") },
  withdrawn: { collect: ({ id }) => taskAnswer(id, 40101, 'Internal SE Server Error.') },
  unknown: { collect: ({ id }) => taskAnswer(id, 40401, 'Task Not Found.') },
  penniless: { order: () => account(402, 40200, 'Payment Required.') },
  indebted: { collect: () => account(402, 40200, 'Payment Required.') },
  busy: { order: (_, earlier) => (earlier === 0 ? account(200, 40202, 'Rate limit.') : undefined) },
  failing: { order: (_, earlier) => (earlier === 0 ? { status: 500, body: 'oops' } : undefined) },
  wall: { collect: (order) => delivered(order, `captcha: ${decoded(order.keyword)}`) },
  other: { collect: (order) => delivered(order, 'pink umbrellas') },
  swapped: { collect: (order) => delivered({ ...order, id: '11221234-9999-0066-0000-0a1b2c3d4e5f' }) },
  garbled: { collect: () => ({ body: '<html>nginx</html>' }) },
  stuttering: {
    pings: [20],
    collect: (order, asked, age) =>
      asked === 0 && age < hastyMs ? { body: '{"status_code": 200' } : delivered(order),
  },
  /** Accepts the first order, but its answer is lost. */
  mumbling: {
    order: (_, earlier) => (earlier === 0 ? { status: 502, body: 'Bad gateway' } : undefined),
    isLost: true,
  },
  short: { collect: (order) => delivered(order, decoded(order.keyword), 1) },
  pageless: { collect: ({ id }) => taskAnswer(id, 20000, 'Ok.', [{ items: [] }]) },
};

export const credentials = 'clerk@example.com:sesame';

/** `callsBack`: whether pingbacks are sent at all. */
export const startProvider = async ({ callsBack = true } = {}) => {
  const orders: Order[] = [];
  /** Requests for pages by id, and the statuses that pingbacks got by keyword. */
  const asked = new Map<string, number>();
  const pinged = new Map<string, number[]>();
  const at = new Map<string, number>();
  const timers = new Set<NodeJS.Timeout>();
  let accepts = credentials;
  let lists = 0;
  let refusesLists = false;

  const behaviourOf = ({ keyword }: Order): Behaviour =>
    behaviours[decoded(keyword).split(' ')[0] ?? ''] ?? {};

  const ping = async (order: Order): Promise<void> => {
    if (!order.pingback_url || !callsBack) return;
    const { pingUrl = (url: string) => url } = behaviourOf(order);
    const url = order.pingback_url.replace('$id', order.id).replace('$tag', encodeURIComponent(order.tag));
    const answer = await fetch(pingUrl(url)).catch(() => undefined);
    const keyword = decoded(order.keyword);
    pinged.set(keyword, [...(pinged.get(keyword) ?? []), answer?.status ?? 0]);
  };

  const takeOrder = async (engine: EngineName, body: string): Promise<Answer> => {
    const [posted] = JSON.parse(body) as Omit<Order, 'id' | 'engine'>[];
    const number = String(orders.length + 1).padStart(12, '0');
    const order = { ...posted, engine, id: `11221234-1535-0066-0000-${number}` } as Order;
    const earlier = orders.filter(({ keyword }) => keyword === order.keyword).length;
    orders.push(order);
    const { order: refuse, pings = [50], isEager, isLost } = behaviourOf(order);
    const refusal = refuse?.(order, earlier);
    if (!refusal || isLost) at.set(order.id, Date.now());
    if (refusal) return refusal;
    if (isEager) await ping(order);
    for (const delay of pings) timers.add(setTimeout(() => void ping(order), delay));
    return taskAnswer(order.id, 20100, 'Task Created.');
  };

  /** The tasks that were created between two times, in their order, with what was posted. */
  const giveList = (body: string): Answer => {
    const [{ datetime_from, datetime_to, limit = 1000, offset = 0, include_metadata }] = JSON.parse(body) as [
      ListRequest,
    ];
    lists += 1;
    const [from, to] = [Date.parse(datetime_from), Date.parse(datetime_to)];
    if (!(from < to)) return taskAnswer('', 40501, "Invalid Field: 'datetime_to'.");
    if (refusesLists) return account(200, 50000, 'Internal Error.');
    // The times have no milliseconds.
    const secondOf = ({ id }: Order) => Math.floor((at.get(id) ?? 0) / 1000) * 1000;
    const created = orders.filter((order) => {
      const posted = secondOf(order);
      return at.has(order.id) && posted >= from && posted <= to;
    });
    const rows = created.slice(offset, offset + limit).map((order) => {
      const { id, engine, ...posted } = order;
      return {
        id,
        url: `https://api.dataforseo.com/v3/serp/${engine}/organic/task_post`,
        datetime_posted: dateOf(secondOf(order)),
        datetime_done: null,
        status: 'ok',
        cost: 0.0006,
        ...(include_metadata && { metadata: { api: 'serp', function: 'task_post', se: engine, ...posted } }),
      };
    });
    return taskAnswer('11221234-0000-0066-0000-00000000000a', 20000, 'Ok.', rows);
  };

  const givePages = (id: string): Answer => {
    const order = orders.find((each) => each.id === id);
    if (!order) return taskAnswer(id, 40401, 'Task Not Found.');
    const times = asked.get(id) ?? 0;
    asked.set(id, times + 1);
    const age = Date.now() - (at.get(id) ?? 0);
    return behaviourOf(order).collect?.(order, times, age) ?? delivered(order);
  };

  const answer = async (request: http.IncomingMessage): Promise<Answer> => {
    const body = await text(request);
    if (request.headers.authorization !== `Basic ${Buffer.from(accepts).toString('base64')}`) {
      return account(401, 40100, 'You are not Authorized to Access this Resource.');
    }
    if (request.method === 'POST' && request.url === '/v3/serp/id_list') return giveList(body);
    const [, engine, action, id = ''] =
      /^\/v3\/serp\/(google|bing|yahoo)\/organic\/(task_post|task_get\/html)(?:\/([\w-]+))?$/.exec(
        request.url ?? '',
      ) ?? [];
    if (request.method === 'POST' && action === 'task_post') return takeOrder(engine as EngineName, body);
    if (request.method === 'GET' && action === 'task_get/html') return givePages(id);
    return { status: 404, body: envelope(40400, 'Not Found.', null) };
  };

  const server = http.createServer(async (request, response) => {
    const { status = 200, body } = await answer(request);
    response
      .writeHead(status, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
      .end(gzipSync(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    orders,
    ordersOf: (keyword: string) => orders.filter((order) => decoded(order.keyword) === keyword),
    pinged,
    asked,
    /** Accepts as many orders of another client. */
    acceptOthers: (count: number) => {
      for (let n = 0; n < count; n += 1) {
        const id = `11221234-1535-0066-9999-${String(n).padStart(12, '0')}`;
        orders.unshift({ id, engine: 'google', keyword: 'of another client', tag: `other ${n}` } as Order);
        at.set(id, Date.now());
      }
    },
    /** The number of lists of tasks that were asked for. */
    lists: () => lists,
    /** Whether the lists of tasks are refused from now on. */
    refuseLists: (refuses: boolean) => {
      refusesLists = refuses;
    },
    /** The orders that the provider has accepted, and that cost money. */
    paidFor: (keyword: string) =>
      orders.filter((order) => at.has(order.id) && decoded(order.keyword) === keyword),
    /** Changes the credentials that the provider accepts. */
    accept: (other: string) => {
      accepts = other;
    },
    stop: async () => {
      for (const timer of timers) clearTimeout(timer);
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
