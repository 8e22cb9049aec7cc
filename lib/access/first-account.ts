/** The account that is created at set-up: user 1, an admin. */
import { checkSetting } from '../model/settings.ts';
import type { Account } from '../model/user.ts';
import { changeCredentials, readAccount } from '../store/users.ts';
import { newestKey, withNewKey } from './account-keys.ts';
import { hashApiKey, isApiKey, makeApiKey } from './api-key.ts';
import { createAccount } from './create-account.ts';
import { changedMeanwhile } from './rotation.ts';

/** The id of the account that is created at set-up. */
export const firstId = 1;

type Settings = { apiKey?: string; webhookSecret?: string; rateLimit: number };

/**
 * Creates or updates user 1 according to the settings. Without `apiKey`, an existing account gets a new key,
 * because the old one cannot be read back. Without `webhookSecret`, it keeps its secrets. Another key or
 * secret than the newest one replaces it and the former one at once.
 * @throws HttpError 409 if the account was changed at the same time; Error if `apiKey` or `webhookSecret` has
 * an invalid format.
 */
export const ensureFirstAccount = async ({
  apiKey = makeApiKey(),
  webhookSecret,
  rateLimit,
}: Settings): Promise<{ account: Account; apiKey: string; webhookSecret: string }> => {
  if (!isApiKey(apiKey))
    throw new Error('API_KEY is not a key of this service: serp_ and 46 characters, the last 6 a checksum');
  if (webhookSecret !== undefined) checkSetting('WEBHOOK_SECRET', webhookSecret);
  const found = await readAccount(firstId);
  if (!found) {
    return createAccount({
      id: firstId,
      apiKey,
      ...(webhookSecret && { webhookSecret }),
      name: 'admin',
      permissions: ['admin', 'engines'],
      rate_limit: rateLimit,
    });
  }
  const hash = hashApiKey(apiKey);
  const account = await changeCredentials(found, {
    ...(hash !== newestKey(found).hash && withNewKey(found, hash)),
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
