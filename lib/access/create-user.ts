/** Creates a user, as the API does it (Reading 23). */
import type { Account, CreateApiKey, User } from '../model/user.ts';
import { log } from '../runtime/log.ts';
import { createAccount } from './create-account.ts';
import { viewUser } from './view-user.ts';

/** Creates a user with every permission except `admin`. The key is shown in full only in this answer. */
export const createUser = async (
  admin: Pick<Account, 'id'>,
  { name, email }: CreateApiKey,
): Promise<User> => {
  const { account, apiKey } = await createAccount({ name, email });
  log.info('user created', { admin: admin.id, user: account.id });
  return viewUser(account, apiKey);
};
