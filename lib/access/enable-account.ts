/** Enables or disables an account. */
import { changeAccount } from '../store/users.ts';
import { noSuchUser } from './rotation.ts';

/**
 * Takes effect at the next request: no function remembers accounts. The keys and links of a disabled account
 * are rejected; its tasks still run, and their webhooks are delivered.
 * @throws HttpError 404 if there is no such account.
 */
export const enableAccount = async (id: number, enabled: boolean): Promise<void> => {
  if (!(await changeAccount(id, { enabled }))) throw noSuchUser(id);
};
