/**
 * The session of the person who signed in, and the calls that are made in it. The session is a cookie, which
 * no script can read; the API key is sent once and kept nowhere.
 */
import type { SessionUser } from '../model/session.ts';
import { words } from './format.ts';

/**
 * The address of the interface. This script is at `<base>/console/`, whatever the prefix of the stage is.
 */
export const baseUrl = new URL('../', import.meta.url).href;

/** The address of something of the service, for a link. */
export const urlOf = (path: string): string => new URL(path, baseUrl).href;

/** A response that is not a success, or none at all (`status` 0). The message is for people. */
export class CallError extends Error {
  readonly status: number;
  /** What is wrong with the parts of the request. */
  readonly faults: readonly Fault[];

  constructor(status: number, message: string, faults: readonly Fault[] = []) {
    super(message);
    this.status = status;
    this.faults = faults;
  }
}

export type Fault = { loc?: (string | number)[]; msg?: string };

/** The gateway before the service answers without a sentence. */
const withoutDetail: Readonly<Record<number, string>> = {
  429: 'The service has too many requests. Wait a minute, then try again.',
  502: 'The service failed (status 502). Try again.',
  503: 'The service cannot answer now (status 503). Wait a minute, then try again.',
  504: 'The service took too long (status 504). Try again.',
};

/** The error of a body: `detail` is a sentence, or a list of faults. */
const errorOf = (status: number, body: unknown): CallError => {
  const detail = typeof body === 'object' && body !== null && 'detail' in body ? body.detail : null;
  if (typeof detail === 'string') return new CallError(status, detail);
  if (!Array.isArray(detail))
    return new CallError(status, withoutDetail[status] ?? `The service answered with status ${status}.`);
  // The same fault of many entries of a list is one line.
  const counts = new Map<string, number>();
  for (const { loc = [], msg = '' } of detail as Fault[]) {
    const name = loc.filter((part) => part !== 'body' && typeof part === 'string').join(' ');
    const line = name ? `${words(name)}: ${msg}` : msg;
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  const lines = [...counts].map(([line, count]) => (count === 1 ? line : `${line} (${count} times)`));
  return new CallError(status, lines.join('\n'), detail as Fault[]);
};

/** The event of the page when a person has signed in. */
export const signedInEvent = 'console-signed-in';

let handleRefusal: () => void = () => undefined;
/** `handle`: what happens when the session has ended. The app shows the sign-in page. */
export const onRefusal = (handle: () => void): void => {
  handleRefusal = handle;
};

/** Whom the console shows. A new object after each sign-in and sign-out. */
let shown: { id: number | null } = { id: null };

/** From now on, calls are those of the user whom the console shows: the service refuses them for others. */
export const actAs = (user: SessionUser | null): void => {
  shown = { id: user?.id ?? null };
};

/** A late refusal of a call of an earlier session ends no later one. */
const refused = (asked: typeof shown): void => {
  if (asked === shown) handleRefusal();
};

type CallOptions = {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  body?: unknown;
  /** The media type of a body that is a text or a file. Absent: the body is sent as JSON. */
  type?: string;
  signal?: AbortSignal;
};

const bodyOf = (body: unknown, type: string | undefined): Blob | string => {
  if (!type) return JSON.stringify(body);
  return body instanceof Blob ? body : String(body);
};

const noAnswer = 'The service does not answer. Check your connection, then try again.';

/** Something between the browser and the service answered, such as the sign-in page of a network. */
const foreignAnswer =
  'The answer is not from the service: your network may ask you to sign in. Check it, then try again.';

/** The response with its text, which can fail after the response has begun. */
const send = async (
  path: string,
  { method = 'GET', body, type, signal }: CallOptions,
): Promise<{ response: Response; text: string }> => {
  try {
    const response = await fetch(new URL(path, baseUrl), {
      method,
      headers: {
        // The service accepts the cookie together with this header only (`lib/api/session-cookie.ts`).
        'x-console': '1',
        ...(shown.id !== null && { 'x-console-user': String(shown.id) }),
        ...(body !== undefined && { 'content-type': type ?? 'application/json' }),
      },
      ...(body !== undefined && { body: bodyOf(body, type) }),
      ...(signal && { signal }),
      credentials: 'same-origin',
      // Another person may sign in after this one.
      cache: 'no-cache',
      redirect: 'error',
    });
    // `text()` would take away the byte order mark of a file for spreadsheets.
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await response.arrayBuffer());
    return { response, text };
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new CallError(0, noAnswer);
  }
};

const sessionPath = 'session';

const jsonOf = (text: string): unknown => {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return text;
  }
};

/**
 * Calls an operation by its path below the base, and returns the text of the response.
 * @throws CallError if the response is not a success. The app hears of a session that has ended.
 */
export const callText = async (path: string, options: CallOptions = {}): Promise<string> =>
  (await callPage(path, options)).text;

/**
 * As `callText`, for a page of a list that is text. `next`: the cursor of the next page; empty: it is the
 * last one.
 */
export const callPage = async (
  path: string,
  options: CallOptions = {},
): Promise<{ text: string; next: string }> => {
  const asked = shown;
  const { response, text } = await send(path, options);
  if (response.ok) {
    // No operation answers a call of the console with a web page.
    if (/\bhtml\b/.test(response.headers.get('content-type') ?? '')) throw new CallError(0, foreignAnswer);
    return { text, next: response.headers.get('x-next-cursor') ?? '' };
  }
  if (response.status === 401 && path !== sessionPath) refused(asked);
  throw errorOf(response.status, jsonOf(text));
};

/** An answer in the form of another service, whatever its status is. */
export type Exchange = { status: number; headers: Record<string, string>; body: unknown };

/**
 * Sends a request in the form of another service. `body`: sent as JSON; absent: the request is a GET.
 * @throws CallError if there is no answer, or the session has ended.
 */
export const exchange = async (path: string, body?: unknown): Promise<Exchange> => {
  const asked = shown;
  const { response, text } = await send(path, body === undefined ? {} : { method: 'POST', body });
  if (response.status === 401) {
    refused(asked);
    throw errorOf(response.status, null);
  }
  const headers = [...response.headers].filter(([name]) => /^x-(?:search-|warnings)/.test(name));
  return { status: response.status, headers: Object.fromEntries(headers), body: jsonOf(text) };
};

/** As `callText`, for an operation that returns JSON. What only deletes may return nothing. */
export const call = async <Reply>(path: string, options: CallOptions = {}): Promise<Reply> => {
  const text = await callText(path, options);
  const reply = jsonOf(text);
  const isNothing = text === '' && options.method !== 'DELETE';
  if (isNothing || typeof reply === 'string') throw new CallError(0, foreignAnswer);
  return reply as Reply;
};

type Session = { user: SessionUser | null };

/** The signed-in user; null: none. */
export const readSession = async (): Promise<SessionUser | null> =>
  (await call<Session>(sessionPath)).user ?? null;

const noCookie =
  'The service accepts this key, but your browser does not keep the cookie of the session. Allow cookies for this address.';

/**
 * Signs a person in with an API key. The user is that of the cookie: at the same time, somebody else may have
 * signed in in another tab. A browser without the cookie would ask for the key again and again.
 * @throws CallError 401 if the service does not accept it.
 */
export const openSession = async (key: string): Promise<SessionUser> => {
  const { user } = await call<Session>(sessionPath, { method: 'POST', body: { key } });
  if (!user) throw new CallError(0, foreignAnswer);
  const kept = await readSession();
  if (!kept) throw new CallError(0, noCookie);
  return kept;
};

let renewal = new AbortController();

/** A late answer to a renewal would bring back the cookie of a session that a person has left. */
export const stopRenewal = (): void => {
  renewal.abort();
  renewal = new AbortController();
};

/** Makes the session longer. If it has ended, the next call tells the app. */
export const renewSession = async (): Promise<void> => {
  const { signal } = renewal;
  await call<Session>(sessionPath, { method: 'POST', body: {}, signal }).catch(() => undefined);
};

/** Signs the person out, in all tabs. */
export const endSession = async (): Promise<void> => {
  stopRenewal();
  await call<Session>(sessionPath, { method: 'DELETE' });
};
