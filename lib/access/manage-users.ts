/**
 * How an admin lists, disables and limits users, and replaces their keys and secrets (Reading 23). Nobody does this to the user of the
 * request: a stolen key could lock out everybody who could stop it. For that, the operator has `npm run user`.
 */
import { HttpError } from '../model/http-error.ts';
import type {
  ManagedUser,
  ManagedUserList,
  ManagedUsersQuery,
  RotatedKey,
  RotatedSecret,
  UserChange,
  UserRotationQuery,
} from '../model/managed-user.ts';
import type { Account } from '../model/user.ts';
import { clock } from '../runtime/clock.ts';
import { log } from '../runtime/log.ts';
import { changeAccount, readAccountPage } from '../store/users.ts';
import { makeCursor, readCursor } from './cursor.ts';
import { rotateKey } from './rotate-key.ts';
import { rotateSecret } from './rotate-secret.ts';
import { noSuchUser } from './rotation.ts';
import { showAccount, viewAccount } from './show-account.ts';

const listName = 'users';

/**
 * A page of all users, in the order of the table.
 * @throws HttpError 422 if the service has not made the cursor for this admin.
 */
export const listUsers = async (
  admin: Account,
  { per_page, cursor }: ManagedUsersQuery,
  now = clock(),
): Promise<ManagedUserList> => {
  const { accounts, last } = await readAccountPage(per_page, readCursor(admin, listName, cursor));
  return {
    data: accounts.map((account) => viewAccount(account, now)),
    cursor: last === undefined ? null : makeCursor(admin, listName, last),
  };
};

/** @throws HttpError 409 if the admin is the user. */
const refuseOwn = (admin: Account, id: number): void => {
  if (admin.id !== id) return;
  throw new HttpError(
    409,
    'A user cannot disable itself or replace its own key. Another admin can, and so can the operator, with npm run user',
  );
};

/**
 * Changes the fields that are given, from the next request on.
 * @throws HttpError 404 if there is no such user; 409 if the admin disables itself.
 */
export const changeUser = async (
  admin: Account,
  id: number,
  { enabled, rate_limit }: UserChange,
): Promise<ManagedUser> => {
  if (enabled === false) refuseOwn(admin, id);
  if (enabled !== undefined || rate_limit !== undefined) {
    const isChanged = await changeAccount(id, {
      ...(enabled !== undefined && { enabled }),
      ...(rate_limit !== undefined && { rate_limit }),
    });
    if (!isChanged) throw noSuchUser(id);
    log.info('user changed', { admin: admin.id, user: id, enabled, rate_limit });
  }
  return showAccount(id);
};

/**
 * Makes a new API key of another user.
 * @throws HttpError as `rotateKey`; 409 if the admin is the user.
 */
export const rotateKeyOf = async (
  admin: Account,
  id: number,
  rotation: UserRotationQuery,
): Promise<RotatedKey> => {
  refuseOwn(admin, id);
  const { apiKey, former_until } = await rotateKey(id, rotation);
  log.info('user changed', { admin: admin.id, user: id, key: 'rotated' });
  return { api_key: apiKey, former_until };
};

/**
 * Makes a new webhook secret of a user.
 * @throws HttpError as `rotateSecret`.
 */
export const rotateSecretOf = async (
  admin: Account,
  id: number,
  rotation: UserRotationQuery,
): Promise<RotatedSecret> => {
  const { webhookSecret, former_until } = await rotateSecret(id, rotation);
  log.info('user changed', { admin: admin.id, user: id, secret: 'rotated' });
  return { secret: webhookSecret, former_until };
};
