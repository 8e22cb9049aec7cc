/** What fauxqs announces on Node's diagnostics channel: the Fastify instance that serves its requests. */
import * as v from 'valibot';

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
export const WithHooks = v.object({
  fastify: v.custom<Hooks>((it) => typeof it === 'object' && it !== null && 'addHook' in it),
});
