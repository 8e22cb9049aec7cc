/**
 * DataForSEO v3: the request that orders the pages of a search, the request that collects them, and the answers to both. The provider calls
 * back (`pingback_url`) when a search is ready.
 */
import * as v from 'valibot';
import type { Device } from '../model/crawl-request.ts';
import type { EngineName } from '../model/engine.ts';

export const origin = 'https://api.dataforseo.com';

/** A search, as the provider gets it. */
export type OrderedSearch = {
  engine: EngineName;
  keyword: string;
  /** The full name of a place (`Berlin,Berlin,Germany`, `Germany`), or its latitude and longitude, with or without a radius (`52.52,13.405,500`). */
  place: string;
  language_code: string;
  device: Device;
  /** The host of the engine, without `www.`. */
  domain: string;
  /** The pages to deliver, and the results on all of them together. */
  pages: number;
  results: number;
  /** Comes back with the pingback. At most 255 characters. */
  tag: string;
  /** The base of the pingback's URL. Null: no pingback. */
  pingbackUrl: string | null;
};

export type ProviderRequest = { method: 'GET' | 'POST'; path: string; body?: string };

/** The provider's names of the engines are ours. */
const pathOf = (engine: EngineName, action: string): string => `/v3/serp/${engine}/organic/${action}`;

/** The provider decodes `%xx` and reads `+` as a space. */
const encodeKeyword = (keyword: string): string => keyword.replaceAll('%', '%25').replaceAll('+', '%2B');

/** The provider takes radii of this size. */
const radii = { least: 200, most: 199_999 };

const locationOf = (place: string) => {
  const [, point, radius] = /^(-?\d+(?:\.\d+)?,-?\d+(?:\.\d+)?)(?:,(\d+))?$/.exec(place) ?? [];
  if (point === undefined) return { location_name: place };
  if (radius === undefined) return { location_coordinate: point };
  const taken = Math.min(Math.max(Number(radius), radii.least), radii.most);
  return { location_coordinate: `${point},${taken}` };
};

/** The operating systems whose pages look as those that the service fetches itself. */
const systems: Record<Device, string> = { desktop: 'windows', mobile: 'android' };

/** Orders all pages of a search as one task. The provider replaces `$id` and `$tag` in the URL of the pingback. */
export const orderRequest = (search: OrderedSearch): ProviderRequest => ({
  method: 'POST',
  path: pathOf(search.engine, 'task_post'),
  body: JSON.stringify([
    {
      keyword: encodeKeyword(search.keyword),
      ...locationOf(search.place),
      language_code: search.language_code,
      device: search.device,
      os: systems[search.device],
      se_domain: search.domain,
      depth: search.results,
      max_crawl_pages: search.pages,
      tag: search.tag,
      ...(search.pingbackUrl && { pingback_url: `${search.pingbackUrl}?id=$id&tag=$tag` }),
    },
  ]),
});

/** Collects the pages of a search. A repeated request is free of charge, for seven days. */
export const collectRequest = (engine: EngineName, id: string): ProviderRequest => ({
  method: 'GET',
  path: pathOf(engine, `task_get/html/${encodeURIComponent(id)}`),
});

/** `2019-11-15 12:57:46 +00:00`. */
const dateOf = (seconds: number): string =>
  new Date(seconds * 1000)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, ' +00:00');

/** The most tasks that an answer to `listRequest` has. */
export const listLimit = 1000;

/**
 * Lists the tasks that were created between two times (Unix seconds), of all engines and in any state, with their tags. Free of charge, for
 * tasks of the last month.
 */
export const listRequest = (from: number, to: number, offset: number): ProviderRequest => ({
  method: 'POST',
  path: '/v3/serp/id_list',
  body: JSON.stringify([
    {
      datetime_from: dateOf(from),
      datetime_to: dateOf(to),
      limit: listLimit,
      offset,
      sort: 'asc',
      include_metadata: true,
    },
  ]),
});

/** `credentials`: `login:password`. */
export const headersFor = (credentials: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
});

/** An answer over HTTP. */
export type ProviderAnswer = { status: number; body: string };

/**
 * `refused`: the provider has a final, negative answer to this search. `account`: it refuses every request of the account. `later`: it takes
 * no more requests now. `broken`: no answer of the provider that can be read. `reason` is for `error_message`, without its first word.
 */
export type Fault = {
  outcome: 'refused' | 'account' | 'later' | 'broken';
  /** The provider's code, or the HTTP status; 0 if there is none. */
  code: number;
  reason: string;
};

export type DeliveredPage = {
  page: number;
  html: string /** Unix seconds; null if unknown. */;
  date: number | null;
};

export type ListedTask = { id: string; tag: string };

export type OrderAnswer = { outcome: 'accepted'; id: string } | Fault;
export type ListAnswer = { outcome: 'listed'; tasks: ListedTask[] } | Fault;
export type CollectAnswer = { outcome: 'delivered'; pages: DeliveredPage[] } | { outcome: 'pending' } | Fault;

const Code = v.pipe(v.number(), v.integer());
const Message = v.optional(v.nullable(v.string()), '');

const Task = v.object({
  id: v.optional(v.nullable(v.string()), ''),
  status_code: Code,
  status_message: Message,
  result: v.optional(v.nullable(v.array(v.unknown())), []),
});

const Envelope = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    status_code: Code,
    status_message: Message,
    tasks: v.optional(v.nullable(v.array(Task)), []),
  }),
);

const PageResult = v.object({
  items: v.optional(
    v.nullable(
      v.array(
        v.object({
          page: v.pipe(v.number(), v.integer()),
          date: v.optional(v.nullable(v.string()), null),
          html: v.optional(v.nullable(v.string()), ''),
        }),
      ),
    ),
    [],
  ),
});

const ListResult = v.array(
  v.object({
    id: v.string(),
    metadata: v.optional(v.nullable(v.object({ tag: v.optional(v.nullable(v.string()), '') })), null),
  }),
);

const codes = {
  ok: 20000,
  created: 20100,
  /** In the queue, handed to a worker, or not known yet to the server that was asked. */
  pending: [20100, 40404, 40601, 40602],
  notAuthorised: [40100, 40104],
  /** 402xx is about the money of the account, except for its rate and its concurrency. */
  tooMany: [40202, 40209],
};

/** Whether a text can be an id of the provider's tasks. It becomes a part of paths. */
export const isTaskId = (id: string): boolean => /^[\w-]{8,64}$/.test(id);

/** Text of the provider that clients may see. */
const shown = (message: string | null | undefined): string =>
  (message ?? '')
    .replace(/[^\x20-\x7e]+/g, ' ')
    .trim()
    .slice(0, 200);

const faultOf = (code: number, message: string | null | undefined): Fault => {
  if (codes.notAuthorised.includes(code) || code === 401 || code === 403) {
    return {
      outcome: 'account',
      code,
      reason: 'the provider does not accept the credentials of the service',
    };
  }
  if (codes.tooMany.includes(code) || code === 429) {
    return { outcome: 'later', code, reason: 'the provider takes no more searches now' };
  }
  if (code === 402 || Math.floor(code / 100) === 402) {
    return {
      outcome: 'account',
      code,
      reason: 'the account at the provider is out of money, or at its limit',
    };
  }
  if ((code >= 500 && code < 600) || code >= 50_000) {
    return { outcome: 'broken', code, reason: `the provider met an error of its own (${code})` };
  }
  const words = shown(message);
  return {
    outcome: 'refused',
    code,
    reason: `the provider refused the search (${[code, words].filter(Boolean).join(': ')})`,
  };
};

const unreadable = (code: number): Fault => ({
  outcome: 'broken',
  code,
  reason: 'the provider gave an answer that cannot be read',
});

/** Reads both levels of an answer: the envelope may be good while its task is not. */
const readTask = ({ status, body }: ProviderAnswer): v.InferOutput<typeof Task> | Fault => {
  // These are about the account, whatever the body is.
  if ([401, 402, 403, 429].includes(status)) return faultOf(status, '');
  const { success, output } = v.safeParse(Envelope, body);
  if (!success) return status >= 500 ? faultOf(status, '') : unreadable(status);
  if (output.status_code !== codes.ok) return faultOf(output.status_code, output.status_message);
  const [task] = output.tasks ?? [];
  return task ?? unreadable(status);
};

/** Reads the answer to `orderRequest`. */
export const readOrder = (answer: ProviderAnswer): OrderAnswer => {
  const task = readTask(answer);
  if ('outcome' in task) return task;
  if (task.status_code !== codes.created) return faultOf(task.status_code, task.status_message);
  return task.id && isTaskId(task.id) ? { outcome: 'accepted', id: task.id } : unreadable(answer.status);
};

/** Reads the answer to `listRequest`. */
export const readList = (answer: ProviderAnswer): ListAnswer => {
  const task = readTask(answer);
  if ('outcome' in task) return task;
  if (task.status_code !== codes.ok) return faultOf(task.status_code, task.status_message);
  const { success, output } = v.safeParse(ListResult, task.result ?? []);
  if (!success) return unreadable(answer.status);
  return { outcome: 'listed', tasks: output.map(({ id, metadata }) => ({ id, tag: metadata?.tag ?? '' })) };
};

/** `2019-11-15 12:57:46 +00:00` in Unix seconds. */
const timeOf = (date: string | null | undefined): number | null => {
  const milliseconds = Date.parse(date ?? '');
  return Number.isNaN(milliseconds) ? null : Math.floor(milliseconds / 1000);
};

/** Reads the answer to `collectRequest` for the search with this id. */
export const readPages = (answer: ProviderAnswer, id: string): CollectAnswer => {
  const task = readTask(answer);
  const code = 'outcome' in task ? task.code : task.status_code;
  if (codes.pending.includes(code)) return { outcome: 'pending' };
  if ('outcome' in task) return task;
  if (code !== codes.ok) return faultOf(code, task.status_message);
  const { success, output } = v.safeParse(v.array(PageResult), task.result ?? []);
  if (!success || task.id !== id) return unreadable(answer.status);
  const items = output.flatMap((result) => result.items ?? []);
  const pages = items.flatMap(({ page, html, date }) => (html ? [{ page, html, date: timeOf(date) }] : []));
  return pages.length > 0
    ? { outcome: 'delivered', pages }
    : { outcome: 'refused', code, reason: 'the provider delivered no page' };
};
