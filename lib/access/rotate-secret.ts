/** Gives an account a new webhook secret (Reading 34). */
import { type Account, secretsAt } from '../model/user.ts';
import { clock } from '../runtime/clock.ts';
import { changeCredentials } from '../store/users.ts';
import { makeWebhookSecret } from './create-account.ts';
import { changedMeanwhile, checkRotation, type Rotation, requireAccount, stillRotating } from './rotation.ts';

/**
 * Makes a new secret. The former one signs deliveries too until `former_until` (Unix time; null = it signs no
 * more). Without `grace` that is a day. Secrets that sign no more are dropped from the account.
 * @throws HttpError 404, 409 and 422 as `rotateKey`. Nothing is changed then.
 */
export const rotateSecret = async (
  id: number,
  rotation: Rotation = {},
  now = clock(),
): Promise<{ account: Account; webhookSecret: string; former_until: number | null }> => {
  const { grace, lost } = checkRotation(rotation);
  const account = await requireAccount(id);
  const until = account.former_secret_until;
  if (until > now && grace > 0 && !lost) throw stillRotating(id, 'secret', until);
  const webhookSecret = makeWebhookSecret();
  const [newest, ...formers] = secretsAt(account, now);
  const kept = lost ? formers : grace > 0 && newest !== undefined ? [newest] : [];
  const former_secret_until = kept.length === 0 ? 0 : lost ? until : now + grace;
  const changed = await changeCredentials(account, {
    webhook_secrets: [webhookSecret, ...kept],
    former_secret_until,
  });
  if (!changed) throw changedMeanwhile(id);
  return { account: changed, webhookSecret, former_until: former_secret_until || null };
};
