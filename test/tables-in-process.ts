/**
 * Requests of AWS clients to a server of this process without sockets: they call its request listener. A
 * request then takes half of the processor time that it takes over HTTP.
 */
import { EventEmitter } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';

type Headers = Record<string, string>;
type Answer = { statusCode: number; headers: Headers; body: Uint8Array };
type Request = {
  method: string;
  hostname: string;
  port?: number;
  path: string;
  headers: Headers;
  body?: unknown;
};
type Handle = (
  request: Request,
  options?: { abortSignal?: { aborted: boolean } },
) => Promise<{ response: Answer }>;

/** Before a test replaces the timers. */
const later = setImmediate;

/** Without a copy by `Buffer.from(body)`, at which the SDK warns about uses of its bodies as text. */
const bytesOf = (body: unknown): Buffer =>
  body instanceof Uint8Array
    ? Buffer.from(body.buffer, body.byteOffset, body.byteLength)
    : Buffer.from(typeof body === 'string' ? body : '');

/** Calls the listener of the server, as an HTTP connection does. */
const call = (server: Server, { method, path, headers, body }: Request): Promise<Answer> =>
  new Promise((resolve) => {
    const request = Object.assign(new EventEmitter(), { method, url: path, headers });
    const answer: Headers = {};
    const response = Object.assign(new EventEmitter(), {
      statusCode: 200,
      setHeader: (name: string, value: unknown) => {
        answer[name.toLowerCase()] = String(value);
      },
      end: (text = '') =>
        resolve({ statusCode: response.statusCode, headers: answer, body: Buffer.from(text) }),
    });
    server.emit('request', request as unknown as IncomingMessage, response as unknown as ServerResponse);
    const bytes = bytesOf(body);
    if (bytes.length > 0) request.emit('data', bytes);
    request.emit('end');
  });

/**
 * Passes the requests of all AWS clients to this port of the loopback address to the server, until the
 * returned function is called.
 */
export const callInProcess = (server: Server, port: number): (() => void) => {
  const client = new DynamoDBClient({});
  const handler: { handle: Handle } = Object.getPrototypeOf(client.config.requestHandler);
  client.destroy();
  const { handle } = handler;
  handler.handle = async function (this: unknown, request, options) {
    const isMeant = request.port === port && request.hostname === '127.0.0.1';
    if (!isMeant || options?.abortSignal?.aborted) return handle.call(this, request, options);
    // Requests that are sent together are all on their way before the first one is answered.
    await new Promise<void>((resolve) => later(resolve));
    return { response: await call(server, request) };
  };
  return () => {
    handler.handle = handle;
  };
};
