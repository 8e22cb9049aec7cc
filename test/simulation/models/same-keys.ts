/** Clients that use the `Idempotency-Key` of another user, of another body, or twice at once (Reading 44). */
import type { Ledger } from '../check/ledger.ts';
import type { Search } from '../plan/action.ts';
import type { Plan } from '../plan/plan.ts';
import { hashText } from '../world/random.ts';
import type { Reply } from './clients.ts';

type Options = {
  plan: Plan;
  ledger: Ledger;
  sleep: (milliseconds: number) => Promise<void>;
  idOf: (user: number) => number;
  /** Sends a search of a user with a key, until its outcome is known. */
  send: (user: number, search: Search, key: string) => Promise<Reply>;
  ack: (user: number, reply: Reply, search: Search) => void;
  /** Called for each answer to a request with a key. */
  answered: (userId: number, id: number, key: string) => void;
};

/** A request takes about so long (milliseconds). */
const overlapMs = 60;

export const newSameKeys = ({ plan, ledger, sleep, idOf, send, ack, answered }: Options) => {
  const users = plan.receivers.length;

  /** The search of another user with the same key is a task of that user. */
  const byAnother = async (user: number, search: Search, key: string, first: number): Promise<void> => {
    const other = (user + 1) % users;
    if (ledger.erased.has(other) || ledger.disabled.has(other)) return;
    const reply = await send(other, search, key);
    if (reply.status !== 200) return;
    const { id, user_id } = reply.body;
    if (user_id === idOf(other) && id !== first) ack(other, reply, search);
    else ledger.violate('idempotency', `${key} of user ${other} gave task ${id} of user ${user_id}`);
  };

  const withAnotherBody = async (user: number, search: Search, key: string): Promise<void> => {
    const { status } = await send(user, { ...search, keyword: `${search.keyword} again` }, key);
    if (status < 400) ledger.violate('idempotency', `${key} was accepted with another body`);
  };

  /** A client that does not wait for an answer: both requests give the same task, or one is refused. */
  const twice = async (user: number, search: Search, key: string): Promise<void> => {
    const sendOne = async () => {
      const reply = await send(user, search, key);
      if (reply.status === 200) answered(idOf(user), Number(reply.body.id), key);
      return reply;
    };
    const second = () => sleep(hashText(`${key} later`) % overlapMs).then(sendOne);
    const replies = await Promise.all([sendOne(), second()]);
    if (replies.some(({ status }) => status === 422)) ledger.violate('idempotency', `${key} is refused`);
    const accepted = replies.filter(({ status }) => status === 200);
    for (const reply of accepted) ack(user, reply, search);
    const ids = new Set(accepted.map(({ body }) => body.id));
    if (ids.size > 1) ledger.violate('idempotency', `${key} made the tasks ${[...ids].join(' and ')}`);
  };

  /** Sends the key of a search again, in two of four cases. */
  return async (user: number, search: Search, key: string, first: number): Promise<void> => {
    // The waits of users at an engine with a rate are compared.
    if (plan.rated) return;
    const part = hashText(key) % 4;
    if (part === 2) await twice(user, search, `${key}-twice`);
    if (part !== 1) return;
    await byAnother(user, search, key, first);
    await withAnotherBody(user, search, key);
  };
};
