/** Lists all accounts. */
import { clock } from '../runtime/clock.ts';
import { scanAccounts } from '../store/users.ts';
import { type AccountView, viewAccount } from './show-account.ts';

/** All accounts, by id. Reads the whole table. */
export const listAccounts = async (now = clock()): Promise<AccountView[]> =>
  (await scanAccounts()).map((account) => viewAccount(account, now)).sort((one, other) => one.id - other.id);
