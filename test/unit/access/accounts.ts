/** The users table in memory, and the counters of the limits table: replacements of the two stores. */
import type { Account } from '../../../lib/model/user.ts';
import type * as limitStore from '../../../lib/store/limits.ts';
import type * as userStore from '../../../lib/store/users.ts';

export const accounts = new Map<number, Account>();
export const counters = new Map<string, number>();

/** An account that exists. */
export const accountAt = (id: number): Account => {
  const account = accounts.get(id);
  if (!account) throw new Error(`There is no account ${id}`);
  return account;
};

export const users = {
  readAccount: async (id) => accounts.get(id),
  findAccount: async (hash) =>
    [...accounts.values()].find((each) => each.key_hash === hash || each.other_key_hash === hash),
  scanAccounts: async () => [...accounts.values()],
  reserveAccountId: async () => Math.max(1, ...accounts.keys()) + 1,
  putAccount: async (account) => {
    if (accounts.has(account.id)) throw new Error('The id is taken');
    accounts.set(account.id, account);
  },
  changeAccount: async (id, fields) => {
    const account = accounts.get(id);
    if (account) accounts.set(id, { ...account, ...fields });
    return account !== undefined;
  },
  changeCredentials: async (account, fields) => {
    const present = accounts.get(account.id);
    if (present?.revision !== account.revision) return undefined;
    const changed = { ...present, ...fields, revision: present.revision + 1 };
    accounts.set(account.id, changed);
    return changed;
  },
} satisfies Partial<typeof userStore>;

const add = (name: string, end: number, amount: number): number => {
  const count = (counters.get(`${name}#${end}`) ?? 0) + amount;
  counters.set(`${name}#${end}`, count);
  return count;
};

export const limits = {
  countInWindow: async (name, end) => add(name, end, 1),
  countInWindowBelow: async (limit, name, end, amount = 1) => {
    if ((counters.get(`${name}#${end}`) ?? 0) >= limit) return false;
    add(name, end, amount);
    return true;
  },
  countBesideEarlier: async (limit, name, end, earlier) => {
    const count = (window: number) => counters.get(`${name}#${window}`) ?? 0;
    if (count(earlier) + count(end) >= limit) return false;
    add(name, end, 1);
    return true;
  },
  uncountInWindow: async (name, end) => {
    add(name, end, -1);
  },
} satisfies Partial<typeof limitStore>;
