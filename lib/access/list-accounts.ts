/** Lists all accounts. */
import type { ManagedUser } from '../model/managed-user.ts';
import { clock } from '../runtime/clock.ts';
import { scanAccounts } from '../store/users.ts';
import { viewAccount } from './show-account.ts';

/** All accounts, by id. Reads the whole table. */
export const listAccounts = async (now = clock()): Promise<ManagedUser[]> =>
  (await scanAccounts()).map((account) => viewAccount(account, now)).sort((one, other) => one.id - other.id);
