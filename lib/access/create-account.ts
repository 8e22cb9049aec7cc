/** Making an account: its id, its key (shown in full this once), its webhook secret and the key that signs its links. */
import { randomBytes } from 'node:crypto';
import type { Account } from '../model/user.ts';
import { putAccount, reserveAccountId } from '../store/users.ts';
import { hashApiKey, makeApiKey } from './api-key.ts';

/** Requests a minute, unless an account says otherwise (Reading 26). */
export const defaultRateLimit = 2000;

/** A secret in the form of Standard Webhooks. */
export const makeWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

type Wishes = Partial<Pick<Account, 'id' | 'name' | 'email' | 'permissions' | 'rate_limit'>> & {
  apiKey?: string;
  webhookSecret?: string;
};

/** Makes an account with every permission but `admin` (Reading 23), unless told otherwise. */
export const createAccount = async ({
  apiKey = makeApiKey(),
  webhookSecret = makeWebhookSecret(),
  ...wishes
}: Wishes = {}): Promise<{ account: Account; apiKey: string; webhookSecret: string }> => {
  const account: Account = {
    id: wishes.id ?? (await reserveAccountId()),
    name: '',
    email: '',
    ttl: 0,
    enabled: true,
    permissions: ['engines'],
    rate_limit: defaultRateLimit,
    ...wishes,
    key_hash: hashApiKey(apiKey),
    webhook_secrets: [webhookSecret],
    signing_key: randomBytes(32).toString('base64'),
  };
  await putAccount(account);
  return { account, apiKey, webhookSecret };
};
