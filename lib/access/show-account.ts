/** What an operator may see of an account: neither its key, nor its hash, nor its secrets. */
import type { Account } from '../model/user.ts';
import { clock } from '../runtime/clock.ts';
import { formerKey, newestKey } from './account-keys.ts';
import { requireAccount } from './rotation.ts';

/** A key is shown as a hint, the first 8 hex digits of its SHA-256. It can be computed from the key, but the key cannot be computed from it. */
export type AccountView = Pick<
  Account,
  'id' | 'name' | 'email' | 'enabled' | 'ttl' | 'permissions' | 'rate_limit' | 'created_at'
> & {
  key_hint: string;
  /** Null if no former key works. */
  former_key: { hint: string; until: number } | null;
  /** Unix time until which a former webhook secret signs too; null if none does. */
  former_secret_until: number | null;
};

const hintOf = (hash: string): string => hash.slice(0, 8);

export const viewAccount = (account: Account, now: number): AccountView => {
  const { id, name, email, enabled, ttl, permissions, rate_limit, created_at, former_secret_until } = account;
  const former = formerKey(account, now);
  return {
    id,
    name,
    email,
    enabled,
    ttl,
    permissions,
    rate_limit,
    created_at,
    key_hint: hintOf(newestKey(account).hash),
    former_key: former ? { hint: hintOf(former.hash), until: former.until } : null,
    former_secret_until: former_secret_until > now ? former_secret_until : null,
  };
};

/** @throws HttpError 404 if there is no such account. */
export const showAccount = async (id: number, now = clock()): Promise<AccountView> =>
  viewAccount(await requireAccount(id), now);
