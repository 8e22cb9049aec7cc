/** Shows an operator or an admin an account: neither its key, nor its hash, nor its secrets. */
import type { ManagedUser } from '../model/managed-user.ts';
import type { Account } from '../model/user.ts';
import { clock } from '../runtime/clock.ts';
import { formerKey, newestKey } from './account-keys.ts';
import { requireAccount } from './rotation.ts';

const hintOf = (hash: string): string => hash.slice(0, 8);

export const viewAccount = (account: Account, now: number): ManagedUser => {
  const { id, name, email, enabled, ttl, permissions, rate_limit, created_at, former_secret_until } = account;
  const former = formerKey(account, now);
  return {
    id,
    name,
    email,
    enabled,
    ttl,
    permissions,
    read_only: account.read_only ?? false,
    rate_limit,
    created_at,
    key_hint: hintOf(newestKey(account).hash),
    former_key: former ? { hint: hintOf(former.hash), until: former.until } : null,
    former_secret_until: former_secret_until > now ? former_secret_until : null,
  };
};

/** @throws HttpError 404 if there is no such account. */
export const showAccount = async (id: number, now = clock()): Promise<ManagedUser> =>
  viewAccount(await requireAccount(id), now);
