/** A webhook on the wire: one POST, bounded in time and bytes whatever the receiver does (Reading 32). */
import { Client, type Dispatcher } from 'undici';
import { guardedConnector } from './connector.ts';
import { untilAborted } from './deadline.ts';
import { type Policy, webhookPolicy } from './guard.ts';
import { networkError } from './network-error.ts';

export type Post = { url: string; headers: Record<string, string>; body: string };

/** A 2xx is `ok`, and nothing else. A reason begins with `unreachable:` or `timeout:`, or names the status. */
export type Posted = { ok: true; status: number } | { ok: false; reason: string };

/** Together under 15.5 s: to connect (name and TLS included), to the headers of the answer, and for its body. */
export type PostLimits = { connectMs: number; answerMs: number; bodyMs: number; bodyBytes: number };

const readingLimits: PostLimits = { connectMs: 5000, answerMs: 10_000, bodyMs: 400, bodyBytes: 64 * 1024 };

/** Informational answers (1xx) that a receiver may send ahead of the real one. */
const maxInformational = 8;

/** What is not percent-encoded after all stands for itself. */
const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const basicOf = ({ username, password }: URL): Record<string, string> =>
  username === '' && password === ''
    ? {}
    : {
        authorization: `Basic ${Buffer.from(`${decode(username)}:${decode(password)}`).toString('base64')}`,
      };

/** Lets a short answer end by itself. The status has told all, so a long or a slow one is cut off. */
const drain = async (body: Dispatcher.ResponseData['body'], { bodyMs, bodyBytes }: PostLimits) => {
  const timer = setTimeout(() => body.destroy(), bodyMs);
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += chunk.length;
      if (bytes >= bodyBytes) break;
    }
  } catch (error) {
    networkError(error);
  } finally {
    clearTimeout(timer);
  }
};

/**
 * Sends once, on a connection of its own that ends with it: no receiver holds up another's deliveries. Redirects are not
 * followed. What the wire does is in the answer; throws only for a post that cannot be sent at all, such as a broken header.
 */
export const postJson = async (
  { url, headers, body }: Post,
  { limits = readingLimits, policy = webhookPolicy() }: { limits?: PostLimits; policy?: Policy } = {},
): Promise<Posted> => {
  const target = new URL(url);
  const stop = new AbortController();
  let fault = 'timeout: no connection came about in time';
  const end = (reason: string) => {
    fault = reason;
    stop.abort();
  };
  let timer = setTimeout(() => end(fault), limits.connectMs);
  const waitForAnswer = () => {
    clearTimeout(timer);
    timer = setTimeout(() => end('timeout: the receiver did not answer in time'), limits.answerMs);
  };
  let informational = 0;
  const dial = guardedConnector(policy, { connectTimeoutMs: limits.connectMs });
  const client = new Client(target.origin, {
    allowH2: false,
    pipelining: 0,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: 16 * 1024,
    connect: (options, callback) =>
      dial(options, (...[error, socket]) => {
        if (error) return callback(error, null);
        waitForAnswer();
        callback(null, socket);
      }),
  });
  try {
    const answering = client.request({
      method: 'POST',
      path: target.pathname + target.search,
      headers: { 'user-agent': 'search-ranking-service', ...basicOf(target), ...headers },
      body,
      signal: stop.signal,
      onInfo: () => {
        informational++;
        if (informational > maxInformational) end('unreachable: the receiver sent 1xx without end');
      },
    });
    const answer = await untilAborted(stop.signal, answering);
    clearTimeout(timer);
    await drain(answer.body, limits);
    const status = answer.statusCode;
    return status >= 200 && status < 300
      ? { ok: true, status }
      : { ok: false, reason: `the receiver answered ${status}` };
  } catch (error) {
    return { ok: false, reason: stop.signal.aborted ? fault : networkError(error) };
  } finally {
    clearTimeout(timer);
    await client.destroy();
  }
};
