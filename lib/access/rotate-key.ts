/** Gives an account a new API key. */
import type { RotatedKey } from '../model/managed-user.ts';
import type { Account } from '../model/user.ts';
import { clock } from '../runtime/clock.ts';
import { log } from '../runtime/log.ts';
import { changeCredentials } from '../store/users.ts';
import { formerKey, withNewestReplaced, withNewKey } from './account-keys.ts';
import { hashApiKey, makeApiKey } from './api-key.ts';
import { changedMeanwhile, checkRotation, type Rotation, requireAccount, stillRotating } from './rotation.ts';

/**
 * Makes a new key, which is shown only in this answer. The former key works until `former_until` (Unix time;
 * null = it works no more). Without `grace` that is a day.
 * @throws HttpError 404 if there is no such account; 409 if a former key still works and neither `grace` is 0
 * nor the newest key is `lost`, or if the account was changed at the same time; 422 if `grace` is out of
 * bounds. Nothing is changed then.
 */
export const rotateKey = async (
  id: number,
  rotation: Rotation = {},
  now = clock(),
): Promise<{ apiKey: string; former_until: number | null }> => {
  const { grace, lost } = checkRotation(rotation);
  const account = await requireAccount(id);
  const former = formerKey(account, now);
  if (former && grace > 0 && !lost) throw stillRotating(id, 'key', former.until);
  const apiKey = makeApiKey();
  const hash = hashApiKey(apiKey);
  const fields = lost
    ? withNewestReplaced(account, hash)
    : withNewKey(account, hash, grace === 0 ? undefined : now + grace);
  const changed = await changeCredentials(account, fields);
  if (!changed) throw changedMeanwhile(id);
  return { apiKey, former_until: formerKey(changed, now)?.until ?? null };
};

/**
 * Makes a new key of the user itself. The key of the request works for `grace` seconds more.
 * @throws HttpError 409 as `rotateKey`.
 */
export const rotateOwnKey = async ({ id }: Pick<Account, 'id'>, grace: number): Promise<RotatedKey> => {
  const { apiKey, former_until } = await rotateKey(id, { grace });
  log.info('user changed', { user: id, key: 'rotated' });
  return { api_key: apiKey, former_until };
};
