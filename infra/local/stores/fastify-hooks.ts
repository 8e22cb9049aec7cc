/** What fauxqs announces on Node's diagnostics channel: the Fastify instance that serves its requests. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FauxqsServer } from 'fauxqs';
import * as v from 'valibot';
import type { LibraryPatch } from './library-patch.ts';

export type Request = { method: string; headers: Record<string, unknown>; body?: unknown };
export type Reply = {
  code: (status: number) => Reply;
  header: (name: string, value: string) => Reply;
  send: (body: string) => Reply;
};
type Hooks = {
  addHook: ((
    name: 'onRequest' | 'preHandler',
    hook: (request: Request, reply: Reply) => Promise<unknown>,
  ) => unknown) &
    ((
      name: 'onSend',
      hook: (request: Request, reply: Reply, payload: unknown) => Promise<unknown>,
    ) => unknown);
};
const WithHooks = v.object({
  fastify: v.custom<Hooks>((it) => typeof it === 'object' && it !== null && 'addHook' in it),
});

/**
 * Starts fauxqs, and adds hooks to its Fastify instance before it listens.
 * @throws the error of the patch, after fauxqs has stopped, if fauxqs announces no such instance.
 */
export const startWithHooks = async <Server extends Pick<FauxqsServer, 'stop'>>(
  patch: LibraryPatch,
  addHooks: (fastify: Hooks) => void,
  start: () => Promise<Server>,
): Promise<Server> => {
  let isHooked = false;
  const onAnnounced = (message: unknown) => {
    const { success, output } = v.safeParse(WithHooks, message);
    if (!success) return;
    isHooked = true;
    addHooks(output.fastify);
  };
  subscribe('fastify.initialization', onAnnounced);
  const fauxqs = await start().finally(() => unsubscribe('fastify.initialization', onAnnounced));
  if (!isHooked) {
    await fauxqs.stop();
    throw patch.failure('fauxqs does not announce its Fastify instance');
  }
  return fauxqs;
};
