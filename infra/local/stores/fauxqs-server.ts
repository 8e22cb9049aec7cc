/** How fauxqs serves requests: for this machine only, and no writes while the disk has no room for them. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FauxqsServer } from 'fauxqs';
import * as v from 'valibot';
import { noRoomMessage, type Room } from './disk-room.ts';
import { type Reply, type Request, startWithHooks } from './fastify-hooks.ts';
import { libraryPatch } from './library-patch.ts';

type Started = Pick<FauxqsServer, 'address' | 'port' | 'stop'>;

const loopback = '127.0.0.1';
const listening = libraryPatch('fauxqs', 'listen on the loopback address');

const Initialization = v.object({
  fastify: v.custom<{ listen: (options: object) => unknown }>((it) => typeof it === 'object' && it !== null),
});

/**
 * Starts fauxqs for this machine only. fauxqs listens on all addresses of the machine, so this changes the
 * address on its Fastify instance, which Fastify announces on a diagnostics channel. Upstream replacement:
 * none in 2.4.1. It would be an option of `startFauxqs` for the address to listen on; `host` is only for the
 * URLs of queues.
 */
export const startOnLoopback = async <Server extends Started>(
  start: () => Promise<Server>,
): Promise<Server> => {
  const patchListen = (message: unknown) => {
    const { success, output } = v.safeParse(Initialization, message);
    if (!success) return;
    const { fastify } = output;
    const { listen } = fastify;
    fastify.listen = (options) => listen.call(fastify, { ...options, host: loopback });
  };
  subscribe('fastify.initialization', patchListen);
  const fauxqs = await start().finally(() => unsubscribe('fastify.initialization', patchListen));
  if (fauxqs.address !== `http://${loopback}:${fauxqs.port}`) {
    await fauxqs.stop();
    throw listening.failure(`fauxqs listens on ${fauxqs.address}`);
  }
  return fauxqs;
};

const refusing = libraryPatch('fauxqs', 'refuse writes without room');

const isReading = ({ method, headers }: Request): boolean =>
  method === 'GET' ||
  method === 'HEAD' ||
  /\.(GetQueueUrl|GetQueueAttributes|ListQueues)$/.test(String(headers['x-amz-target']));

/** The answer of SQS or S3 that the SDK retries. */
const unavailable = ({ headers }: Request, reply: Reply): string => {
  const isQueue = headers['x-amz-target'] !== undefined;
  reply.code(503).header('content-type', isQueue ? 'application/x-amz-json-1.0' : 'application/xml');
  return isQueue
    ? JSON.stringify({ __type: 'com.amazonaws.sqs#ServiceUnavailable', message: noRoomMessage })
    : `<Error><Code>ServiceUnavailable</Code><Message>${noRoomMessage}</Message></Error>`;
};

/**
 * Starts fauxqs, and answers writes with 503 while there is no room for them, also those that were in
 * progress when the first one failed. Upstream replacement: none in 2.4.1. It would be that fauxqs answers
 * with an error that the SDK retries when its database fails.
 */
export const refuseWithoutRoom = async <Server extends Started>(
  room: Room,
  start: () => Promise<Server>,
): Promise<Server> =>
  startWithHooks(
    refusing,
    (fastify) => {
      fastify.addHook('onRequest', async (request, reply) => {
        if (room.state() === 'open' || isReading(request)) return;
        return reply.send(unavailable(request, reply));
      });
      fastify.addHook('onSend', async (request, reply, payload) =>
        room.state() === 'open' || isReading(request) ? payload : unavailable(request, reply),
      );
    },
    start,
  );
