/**
 * One call of an HTTP API: limited in time and bytes, guarded, redirects are not followed. An answer is
 * returned complete or not at all.
 */
import { decodeText } from './charset.ts';
import { untilAborted } from './deadline.ts';
import { networkError } from './network-error.ts';
import { flatten, readAnswer } from './read-answer.ts';
import { refusePart } from './refuse-part.ts';
import { headerValues, openWayOut, type WayOut } from './way-out.ts';

type ApiCall = WayOut & {
  method: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  body?: string;
  /** From connecting to the last byte. */
  deadlineMs: number;
  /** Size limit of the answer, both compressed and decompressed. */
  maxBytes: number;
};

/**
 * The names of headers are in small letters; `setCookies` has each `set-cookie` header. `reason` is a stable
 * word (`unreachable`, `timeout`, `malformed`), a colon and a sentence.
 */
export type ApiAnswer =
  | { ok: true; status: number; headers: Record<string, string>; setCookies: string[]; body: string }
  | { ok: false; reason: string };

/**
 * The text of an answer. Undefined if it is data whose bytes do not fit its charset: replaced letters would
 * be letters that the sender did not write. The words of a refusal are readable without some letters.
 */
const textOf = (bytes: Uint8Array, contentType: string, status: number): string | undefined => {
  try {
    return decodeText(bytes, contentType, status === 200);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
};

/** Makes the call once. Returns network failures. Throws only if the request itself is invalid. */
export const callApi = async (call: ApiCall): Promise<ApiAnswer> => {
  const { dispatcherFor, close } = openWayOut(call);
  const end = new AbortController();
  const signal = AbortSignal.any([AbortSignal.timeout(call.deadlineMs), end.signal]);
  const send = async (): Promise<ApiAnswer> => {
    const url = new URL(call.url);
    const answer = await dispatcherFor(url).request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: call.method,
      headers: { accept: 'application/json', 'accept-encoding': 'gzip', ...call.headers },
      ...(call.body !== undefined && { body: call.body }),
      signal,
    });
    const headers = flatten(answer.headers);
    refusePart(answer.statusCode, headers);
    const bytes = await readAnswer(answer, call.maxBytes);
    const body = textOf(bytes, headers['content-type'] ?? '', answer.statusCode);
    if (body === undefined) return { ok: false, reason: 'malformed: the answer is not text in its charset' };
    const setCookies = headerValues(answer.headers['set-cookie']);
    return { ok: true, status: answer.statusCode, headers, setCookies, body };
  };
  try {
    return await untilAborted(signal, send());
  } catch (error) {
    if (signal.aborted) return { ok: false, reason: 'timeout: the answer did not arrive in time' };
    return { ok: false, reason: networkError(error) };
  } finally {
    // Closes the connection of an answer whose body was not read.
    end.abort();
    await close();
  }
};
