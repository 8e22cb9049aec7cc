/** Sends a webhook: one request, limited in time and bytes whatever the receiver does (Reading 32). */
import type { Socket } from 'node:net';
import { Client, type Dispatcher } from 'undici';
import { version } from '../model/version.ts';
import { basicCredentials } from './basic-credentials.ts';
import { guardedConnector } from './connector.ts';
import { untilAborted } from './deadline.ts';
import { type Policy, webhookPolicy } from './guard.ts';
import { networkError } from './network-error.ts';

/** `method`: POST if it is absent. A GET has no body. */
export type Post = {
  url: string;
  headers: Record<string, string>;
  body: string | Buffer;
  method?: 'GET' | 'POST';
};

/** Only a 2xx status is `ok`. A reason begins with `unreachable:` or `timeout:`, or names the status. */
export type Posted = { ok: true; status: number } | { ok: false; status?: number; reason: string };

/**
 * Times to connect (DNS and TLS included), to receive the headers of the answer and to read its body:
 * together under 15.5 s.
 */
export type PostLimits = { connectMs: number; answerMs: number; bodyMs: number; bodyBytes: number };

export const defaultLimits: PostLimits = {
  connectMs: 5000,
  answerMs: 10_000,
  bodyMs: 400,
  bodyBytes: 64 * 1024,
};

/** How many informational answers (1xx) a receiver may send before the final one. */
const maxInformational = 8;

/**
 * How many bytes a receiver may send before its answer has begun: more than the informational answers and the
 * headers can have. The client library has no limit for a status line, and for empty lines before it.
 */
const maxBytesBefore = 256 * 1024;

/** Reads a short body to its end. A long or slow body is cut off, because only the status matters. */
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
 * Sends once, on a separate connection that is closed afterwards, so no receiver delays the deliveries to
 * another. Does not follow redirects. Returns network failures. Throws only if the request cannot be sent at
 * all, for example with an invalid header.
 */
export const postJson = async (
  { url, headers, body, method = 'POST' }: Post,
  { limits = defaultLimits, policy = webhookPolicy() }: { limits?: PostLimits; policy?: Policy } = {},
): Promise<Posted> => {
  const target = new URL(url);
  const authorization = basicCredentials(target);
  const stop = new AbortController();
  let failure = 'timeout: could not connect in time';
  const abort = (reason: string) => {
    failure = reason;
    stop.abort();
  };
  let timer = setTimeout(() => abort(failure), limits.connectMs);
  const waitForAnswer = () => {
    clearTimeout(timer);
    timer = setTimeout(() => abort('timeout: the receiver did not answer in time'), limits.answerMs);
  };
  let informational = 0;
  let isAnswered = false;
  const limitBytes = (socket: Socket) => {
    const { bytesRead } = socket;
    socket.on('readable', () => {
      if (isAnswered || socket.bytesRead - bytesRead <= maxBytesBefore) return;
      abort('unreachable: the receiver sent data without end before its answer');
    });
  };
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
        limitBytes(socket);
        callback(null, socket);
      }),
  });
  try {
    const answering = client.request({
      method,
      path: target.pathname + target.search,
      headers: {
        'user-agent': `search-ranking-service/${version}`,
        ...(authorization && { authorization }),
        ...headers,
      },
      body: method === 'GET' ? null : body,
      signal: stop.signal,
      onInfo: () => {
        informational++;
        if (informational > maxInformational) abort('unreachable: the receiver sent 1xx without end');
      },
    });
    const answer = await untilAborted(stop.signal, answering);
    isAnswered = true;
    clearTimeout(timer);
    await drain(answer.body, limits);
    const status = answer.statusCode;
    return status >= 200 && status < 300
      ? { ok: true, status }
      : { ok: false, status, reason: `the receiver answered ${status}` };
  } catch (error) {
    return { ok: false, reason: stop.signal.aborted ? failure : networkError(error) };
  } finally {
    clearTimeout(timer);
    await client.destroy();
  }
};
