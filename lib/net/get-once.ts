/** Sends one GET request over HTTP. Redirects are not followed. An answer is returned complete or not at all. */
import { decodeText } from './charset.ts';
import { unpackBody } from './content-coding.ts';
import { untilAborted } from './deadline.ts';
import { readBody } from './get-html.ts';
import { networkError } from './network-error.ts';
import { headerValues, openWayOut, type WayOut } from './way-out.ts';

export type GetRequest = WayOut & {
  url: string;
  headers: Record<string, string>;
  /** From connecting to the last byte. */
  deadlineMs: number;
  /** Size limit of the body, both compressed and decompressed. */
  maxBytes?: number;
};

/** `setCookies` has each `set-cookie` header. `reason` is a stable word (`unreachable`, `timeout`), a colon and a sentence. */
export type Gotten =
  | { ok: true; status: number; headers: Record<string, string>; setCookies: string[]; body: string }
  | { ok: false; reason: string };

/** Ten times the size of a usual answer, and less than DynamoDB stores in a row. */
const defaultMaxBytes = 350 * 1024;

const send = async (
  request: GetRequest,
  dispatcherFor: ReturnType<typeof openWayOut>['dispatcherFor'],
  signal: AbortSignal,
): Promise<Gotten> => {
  const { url: address, headers: sent, maxBytes = defaultMaxBytes } = request;
  const url = new URL(address);
  const answer = await dispatcherFor(url).request({
    origin: url.origin,
    path: url.pathname + url.search,
    method: 'GET',
    headers: sent,
    signal,
  });
  const headers = Object.fromEntries(
    Object.entries(answer.headers).map(([name, value]) => [
      name.toLowerCase(),
      headerValues(value).join(', '),
    ]),
  );
  const packed = await readBody(answer.body, maxBytes);
  const bytes = await unpackBody(packed, headers['content-encoding'] ?? '', maxBytes);
  return {
    ok: true,
    status: answer.statusCode,
    headers,
    setCookies: headerValues(answer.headers['set-cookie']),
    body: decodeText(bytes, headers['content-type'] ?? ''),
  };
};

/** Sends the request. Returns network failures. Throws only if the request itself is invalid. */
export const getOnce = async (request: GetRequest): Promise<Gotten> => {
  const signal = AbortSignal.timeout(request.deadlineMs);
  const { dispatcherFor, close } = openWayOut(request);
  try {
    return await untilAborted(signal, send(request, dispatcherFor, signal));
  } catch (error) {
    if (signal.aborted) return { ok: false, reason: 'timeout: the answer did not arrive in time' };
    return { ok: false, reason: networkError(error) };
  } finally {
    await close();
  }
};
