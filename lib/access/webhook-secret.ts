/** The webhook secret of a user, as the API shows and rotates it (Reading 34). */
import { type Account, secretsAt, type WebhookSecret } from '../model/user.ts';
import { clock } from '../runtime/clock.ts';
import { rotateSecret } from './rotate-secret.ts';
import { requireAccount } from './rotation.ts';

const view = (account: Account, now: number): WebhookSecret => {
  const [secret = '', former = null] = secretsAt(account, now);
  const until = account.former_secret_until;
  return { secret, former_secret: former, former_until: former === null || until === 0 ? null : until };
};

/** Reads the account again: a rotation may have ended since the request was authenticated. */
export const showWebhookSecret = async ({ id }: Pick<Account, 'id'>, now = clock()): Promise<WebhookSecret> =>
  view(await requireAccount(id), now);

/**
 * Makes a new secret. The present one signs too for `grace` seconds.
 * @throws HttpError 409 while a former secret still signs, unless `grace` is 0; nothing is changed then.
 */
export const rotateWebhookSecret = async (
  { id }: Pick<Account, 'id'>,
  grace: number,
  now = clock(),
): Promise<WebhookSecret> => view((await rotateSecret(id, { grace }, now)).account, now);
