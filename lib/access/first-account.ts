/** The account that is created at set-up: user 1, an admin. */
import { checkSetting } from '../model/settings.ts';
import type { Account } from '../model/user.ts';
import { clock } from '../runtime/clock.ts';
import { changeCredentials, readAccount } from '../store/users.ts';
import { isKeyOf, newestKey, withNewKey } from './account-keys.ts';
import { hashApiKey, isApiKey, makeApiKey } from './api-key.ts';
import { createAccount } from './create-account.ts';
import { changedMeanwhile } from './rotation.ts';

/** The id of the account that is created at set-up. */
export const firstId = 1;

type Credentials = { apiKey: string; webhookSecret: string };
type Settings = Partial<Credentials> & { rateLimit: number; stored?: Credentials };

/**
 * Creates or updates user 1 according to the settings. `stored` is what its operator has kept of the account:
 * a new account gets it, an existing one is not changed by it, because the user may have replaced its key or
 * secret by a request since then. Without `apiKey` and `stored`, an existing account gets a new key, because
 * the old one cannot be read back. Without `webhookSecret`, it keeps its secrets. Another `apiKey` or
 * `webhookSecret` than the newest one replaces it and the former one at once.
 * @throws HttpError 409 if the account was changed at the same time; Error if `apiKey` or `webhookSecret` has
 * an invalid format.
 */
export const ensureFirstAccount = async ({
  apiKey: given,
  webhookSecret,
  rateLimit,
  stored,
}: Settings): Promise<Credentials & { account: Account }> => {
  const apiKey = given ?? stored?.apiKey ?? makeApiKey();
  if (!isApiKey(apiKey))
    throw new Error('API_KEY is not a key of this service: serp_ and 46 characters, the last 6 a checksum');
  if (webhookSecret !== undefined) checkSetting('WEBHOOK_SECRET', webhookSecret);
  const found = await readAccount(firstId);
  if (!found) {
    const secret = webhookSecret ?? stored?.webhookSecret;
    return createAccount({
      id: firstId,
      apiKey,
      ...(secret && { webhookSecret: secret }),
      name: 'admin',
      permissions: ['admin', 'engines'],
      rate_limit: rateLimit,
    });
  }
  const hash = hashApiKey(apiKey);
  const replacesKey = hash !== newestKey(found).hash && (given !== undefined || !stored);
  const account = await changeCredentials(found, {
    ...(replacesKey && withNewKey(found, hash)),
    ...(webhookSecret &&
      webhookSecret !== found.webhook_secrets[0] && {
        webhook_secrets: [webhookSecret],
        former_secret_until: 0,
      }),
    rate_limit: rateLimit,
  });
  if (!account) throw changedMeanwhile(firstId);
  return { account, apiKey, webhookSecret: account.webhook_secrets[0] ?? '' };
};

/** Whether this is a key of the account that works now. */
export const isValidKey = (account: Account, apiKey: string): boolean =>
  isKeyOf(account, hashApiKey(apiKey), clock());
