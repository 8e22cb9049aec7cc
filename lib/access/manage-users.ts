/**
 * How an admin lists, disables and limits users, and replaces their keys and secrets (Reading 23). Only the
 * operator changes admins (`npm run user`): with the stolen key of one admin, a thief could otherwise lock
 * out all of them.
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
import { noSuchUser, type Rotation, requireAccount } from './rotation.ts';
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

/** @throws HttpError 404 if there is no such user; 409 if the user is an admin. */
const requireNoAdmin = async (id: number): Promise<void> => {
  const { permissions } = await requireAccount(id);
  if (!permissions.includes('admin')) return;
  throw new HttpError(409, `User ${id} is an admin. Only the operator can change it, with npm run user`);
};

/** @throws HttpError 422 if the query has both, because the grace would have no effect. */
const rotationOf = ({ grace, lost }: UserRotationQuery): Rotation => {
  if (!lost) return grace === undefined ? {} : { grace };
  if (grace === undefined) return { lost };
  throw new HttpError(422, [
    { loc: ['query', 'grace'], type: 'value_error', msg: 'Value error, give either grace or lost' },
  ]);
};

/**
 * Changes the fields that are given, from the next request on.
 * @throws HttpError 404 if there is no such user; 409 if the user is an admin.
 */
export const changeUser = async (admin: Account, id: number, change: UserChange): Promise<ManagedUser> => {
  await requireNoAdmin(id);
  if (Object.keys(change).length > 0) {
    if (!(await changeAccount(id, change))) throw noSuchUser(id);
    const { permissions, ...others } = change;
    log.info('user changed', {
      admin: admin.id,
      user: id,
      ...others,
      ...(permissions && { permissions: permissions.join(' ') }),
    });
  }
  return showAccount(id);
};

/**
 * Replaces what proves who a user is, for an admin.
 * @throws HttpError as `replace`; 409 if the user is an admin; 422 if the query has both `grace` and `lost`.
 */
const rotate = async <Made>(
  what: 'key' | 'secret',
  admin: Account,
  id: number,
  query: UserRotationQuery,
  replace: (id: number, rotation: Rotation) => Promise<Made>,
): Promise<Made> => {
  const rotation = rotationOf(query);
  await requireNoAdmin(id);
  const made = await replace(id, rotation);
  log.info('user changed', { admin: admin.id, user: id, [what]: 'rotated' });
  return made;
};

/**
 * Makes a new API key of a user.
 * @throws HttpError as `rotateKey`; 409 if the user is an admin; 422 if the query has both `grace` and
 * `lost`.
 */
export const rotateKeyOf = async (
  admin: Account,
  id: number,
  query: UserRotationQuery,
): Promise<RotatedKey> => {
  const { apiKey, former_until } = await rotate('key', admin, id, query, rotateKey);
  return { api_key: apiKey, former_until };
};

/**
 * Makes a new webhook secret of a user.
 * @throws HttpError as `rotateSecret`; 409 and 422 as `rotateKeyOf`.
 */
export const rotateSecretOf = async (
  admin: Account,
  id: number,
  query: UserRotationQuery,
): Promise<RotatedSecret> => {
  const { webhookSecret, former_until } = await rotate('secret', admin, id, query, rotateSecret);
  return { secret: webhookSecret, former_until };
};
