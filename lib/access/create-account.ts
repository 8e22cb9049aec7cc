/**
 * Creates an account: its id, its API key (shown in full only once), its webhook secret and the key that
 * signs its links.
 */
import { randomBytes } from 'node:crypto';
import { defaultRateLimit } from '../model/request-limits.ts';
import type { Account } from '../model/user.ts';
import { clock } from '../runtime/clock.ts';
import { putAccount, readAccount, reserveAccountId } from '../store/users.ts';
import { hashApiKey, makeApiKey } from './api-key.ts';
import { checkRateLimit } from './limit-account.ts';

/** Creates a secret in the format of Standard Webhooks. */
export const makeWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

type AccountFields = Partial<
  Pick<Account, 'id' | 'name' | 'email' | 'ttl' | 'permissions' | 'rate_limit'>
> & {
  apiKey?: string;
  webhookSecret?: string;
};

/**
 * The next id that no account has. The counter may be behind the accounts, because an operator has restored
 * the table.
 */
const freeId = async (): Promise<number> => {
  for (;;) {
    const id = await reserveAccountId();
    if ((await readAccount(id)) === undefined) return id;
  }
};

/**
 * Creates an account. By default it has every permission except `admin` (Reading 23).
 * @throws HttpError 422 if the rate limit is out of bounds.
 */
export const createAccount = async (
  { apiKey = makeApiKey(), webhookSecret = makeWebhookSecret(), ...fields }: AccountFields = {},
  now = clock(),
): Promise<{ account: Account; apiKey: string; webhookSecret: string }> => {
  checkRateLimit(fields.rate_limit ?? defaultRateLimit);
  const account: Account = {
    id: fields.id ?? (await freeId()),
    name: '',
    email: '',
    ttl: 0,
    enabled: true,
    permissions: ['engines'],
    rate_limit: defaultRateLimit,
    ...fields,
    key_hash: hashApiKey(apiKey),
    key_until: 0,
    other_key_until: 0,
    webhook_secrets: [webhookSecret],
    former_secret_until: 0,
    signing_key: randomBytes(32).toString('base64'),
    created_at: now,
    revision: 1,
  };
  await putAccount(account);
  return { account, apiKey, webhookSecret };
};
