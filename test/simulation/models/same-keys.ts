/** Clients that send an `Idempotency-Key` that another user has, or with another body (Reading 44). */
import type { Ledger } from '../check/ledger.ts';
import type { Search } from '../plan/action.ts';
import type { Plan } from '../plan/plan.ts';
import { hashText } from '../world/random.ts';
import type { Reply } from './clients.ts';

type Options = {
  plan: Plan;
  ledger: Ledger;
  idOf: (user: number) => number;
  /** Sends a search of a user with a key, until its outcome is known. */
  send: (user: number, search: Search, key: string) => Promise<Reply>;
  ack: (user: number, reply: Reply, search: Search) => void;
};

export const newSameKeys = ({ plan, ledger, idOf, send, ack }: Options) => {
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

  /** Sends the key of a search again, in one of four cases. */
  return async (user: number, search: Search, key: string, first: number): Promise<void> => {
    // The waits of users at an engine with a rate are compared.
    if (plan.rated || hashText(key) % 4 !== 1) return;
    await byAnother(user, search, key, first);
    await withAnotherBody(user, search, key);
  };
};
