/**
 * DataForSEO v3: the request that orders the pages of a search, the request that collects them, and the
 * answers to both. The provider calls back (`pingback_url`) when a search is ready.
 */
import * as v from 'valibot';
import type { Device } from '../model/crawl-request.ts';
import type { EngineName } from '../model/engine.ts';
import type { Fault, Problem, ProviderAnswer, ProviderRequest, Read } from './contract.ts';

const origin = 'https://api.dataforseo.com';

/** A search, as the provider gets it. */
export type OrderedSearch = {
  engine: EngineName;
  keyword: string;
  /**
   * The full name of a place (`Berlin,Berlin,Germany`, `Germany`), or its latitude and longitude, with or
   * without a radius (`52.52,13.405,500`).
   */
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

/** `credentials`: `login:password`. */
const authorization = (credentials: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
});

const post = (credentials: string, path: string, task: object): ProviderRequest => ({
  method: 'POST',
  url: `${origin}${path}`,
  headers: { ...authorization(credentials), 'content-type': 'application/json' },
  body: JSON.stringify([task]),
});

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

/**
 * Orders all pages of a search as one task. The provider replaces `$id` and `$tag` in the URL of the
 * pingback.
 */
export const orderRequest = (credentials: string, search: OrderedSearch): ProviderRequest =>
  post(credentials, pathOf(search.engine, 'task_post'), {
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
  });

/** Collects the pages of a search. A repeated request is free of charge, for seven days. */
export const collectRequest = (credentials: string, engine: EngineName, id: string): ProviderRequest => ({
  method: 'GET',
  url: `${origin}${pathOf(engine, `task_get/html/${encodeURIComponent(id)}`)}`,
  headers: authorization(credentials),
});

/** `2019-11-15 12:57:46 +00:00`. */
const dateOf = (seconds: number): string => {
  const iso = new Date(seconds * 1000).toISOString();
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} +00:00`;
};

/** The most tasks that an answer to `listRequest` has. */
export const listLimit = 1000;

/**
 * Lists the tasks that were created between two times (Unix seconds), of all engines and in any state, with
 * their tags. Free of charge, for tasks of the last month.
 */
export const listRequest = (
  credentials: string,
  { from, to, offset }: { from: number; to: number; offset: number },
): ProviderRequest =>
  post(credentials, '/v3/serp/id_list', {
    datetime_from: dateOf(from),
    datetime_to: dateOf(to),
    limit: listLimit,
    offset,
    sort: 'asc',
    include_metadata: true,
  });

export type DeliveredPage = {
  page: number;
  html: string;
  /** Unix seconds; null if unknown. */
  date: number | null;
};

type ListedTask = { id: string; tag: string };

const Code = v.pipe(v.number(), v.integer());
const Text = v.nullish(v.string());

const Task = v.object({
  id: Text,
  status_code: Code,
  status_message: Text,
  result: v.nullish(v.array(v.unknown())),
});

const Envelope = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    status_code: Code,
    status_message: Text,
    tasks: v.nullish(v.array(Task)),
  }),
);

const PageResult = v.object({
  items: v.nullish(v.array(v.object({ page: v.pipe(v.number(), v.integer()), date: Text, html: Text }))),
});

const ListResult = v.array(
  v.object({
    id: v.string(),
    metadata: v.nullish(v.object({ tag: Text })),
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

/** A fault of the provider. `code`: the provider's code, or the HTTP status; 0 if there is none. */
export const upstreamFault = (problem: Problem, code: number, reason: string): Fault => ({
  ok: false,
  problem,
  word: 'upstream',
  code,
  reason,
});

const faultOf = (code: number, message?: string | null): Fault => {
  if (codes.notAuthorised.includes(code) || code === 401 || code === 403) {
    return upstreamFault('credentials', code, 'the provider does not accept the credentials of the service');
  }
  if (codes.tooMany.includes(code) || code === 429) {
    return upstreamFault('throttled', code, 'the provider takes no more searches now');
  }
  if (code === 402 || Math.floor(code / 100) === 402) {
    return upstreamFault('access', code, 'the account at the provider is out of money, or at its limit');
  }
  if ((code >= 500 && code < 600) || code >= 50_000) {
    return upstreamFault('down', code, `the provider met an error of its own (${code})`);
  }
  const words = shown(message);
  const said = [code, words].filter(Boolean).join(': ');
  return upstreamFault('rejected', code, `the provider refused the search (${said})`);
};

const unreadable = (code: number): Fault =>
  upstreamFault('malformed', code, 'the provider gave an answer that cannot be read');

/** Reads both levels of an answer: the envelope may be good while its task is not. */
const readTask = ({ status, body }: ProviderAnswer): Read<v.InferOutput<typeof Task>> => {
  // These are about the account, whatever the body is.
  if ([401, 402, 403, 429].includes(status)) return faultOf(status);
  const { success, output } = v.safeParse(Envelope, body);
  if (!success) return status >= 500 ? faultOf(status) : unreadable(status);
  if (output.status_code !== codes.ok) return faultOf(output.status_code, output.status_message);
  const [task] = output.tasks ?? [];
  return task ? { ok: true, value: task } : unreadable(status);
};

/** Reads the answer to `orderRequest`: the id under which the provider has accepted the search. */
export const readOrder = (answer: ProviderAnswer): Read<string> => {
  const read = readTask(answer);
  if (!read.ok) return read;
  const { id, status_code, status_message } = read.value;
  if (status_code !== codes.created) return faultOf(status_code, status_message);
  return id && isTaskId(id) ? { ok: true, value: id } : unreadable(answer.status);
};

/** Reads the answer to `listRequest`. */
export const readList = (answer: ProviderAnswer): Read<ListedTask[]> => {
  const read = readTask(answer);
  if (!read.ok) return read;
  const { result, status_code, status_message } = read.value;
  if (status_code !== codes.ok) return faultOf(status_code, status_message);
  const { success, output } = v.safeParse(ListResult, result ?? []);
  if (!success) return unreadable(answer.status);
  return { ok: true, value: output.map(({ id, metadata }) => ({ id, tag: metadata?.tag ?? '' })) };
};

/** `2019-11-15 12:57:46 +00:00` in Unix seconds. */
const timeOf = (date: string | null | undefined): number | null => {
  const milliseconds = Date.parse(date ?? '');
  return Number.isNaN(milliseconds) ? null : Math.floor(milliseconds / 1000);
};

/** Reads the answer to `collectRequest` for the search with this id. Null: the pages are not ready yet. */
export const readPages = (answer: ProviderAnswer, id: string): Read<DeliveredPage[] | null> => {
  const read = readTask(answer);
  const code = read.ok ? read.value.status_code : (read.code ?? 0);
  if (codes.pending.includes(code)) return { ok: true, value: null };
  if (!read.ok) return read;
  const task = read.value;
  if (code !== codes.ok) return faultOf(code, task.status_message);
  const { success, output } = v.safeParse(v.array(PageResult), task.result ?? []);
  if (!success || task.id !== id) return unreadable(answer.status);
  const items = output.flatMap((result) => result.items ?? []);
  const pages = items.flatMap(({ page, html, date }) => (html ? [{ page, html, date: timeOf(date) }] : []));
  return pages.length > 0
    ? { ok: true, value: pages }
    : upstreamFault('rejected', code, 'the provider delivered no page');
};
