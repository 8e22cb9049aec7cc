/** Accounts in their table: the first one over restarts, the next ones beside it, and the windows of their rates. */
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, describe, expect, test } from 'vitest';
import { startTables } from '../../tables.ts';

// The stores take their names from the environment as they are imported.
const tables = await startTables();
const { dynamo } = await import('../../../lib/runtime/aws.ts');
const { hashApiKey, makeApiKey } = await import('../../../lib/access/api-key.ts');
const { authenticate } = await import('../../../lib/access/authenticate.ts');
const { createAccount, defaultRateLimit } = await import('../../../lib/access/create-account.ts');
const { ensureFirstAccount } = await import('../../../lib/access/first-account.ts');
const { countRequest } = await import('../../../lib/access/rate.ts');
afterAll(() => tables.stop());

describe('the first account', () => {
  test('is user 1, may make others, and comes back with what is asked anew', async () => {
    const first = await ensureFirstAccount({ rateLimit: 2000 });
    expect(first.account).toMatchObject({
      id: 1,
      name: 'admin',
      permissions: ['admin', 'engines'],
      rate_limit: 2000,
    });
    expect(first.webhookSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);

    const again = await ensureFirstAccount({ apiKey: first.apiKey, rateLimit: 0 });
    expect(again).toEqual({ ...first, account: { ...first.account, rate_limit: 0 } });

    const apiKey = makeApiKey();
    const replaced = await ensureFirstAccount({ apiKey, webhookSecret: 'whsec_AAAA', rateLimit: 5 });
    expect(replaced.account).toEqual({
      ...first.account,
      key_hash: replaced.account.key_hash,
      webhook_secrets: ['whsec_AAAA'],
      rate_limit: 5,
    });
    expect(await authenticate(`Bearer ${apiKey}`, 'here')).toEqual(replaced.account);
    await expect(authenticate(`Bearer ${first.apiKey}`, 'here')).rejects.toThrow('validate');

    const reset = await ensureFirstAccount({ rateLimit: 5 });
    expect(reset.apiKey).not.toBe(apiKey);
    expect(reset.webhookSecret).toBe('whsec_AAAA');
  });

  test('is made with the key and the secret of the settings', async () => {
    await dynamo.send(new DeleteCommand({ TableName: process.env.USERS_TABLE, Key: { id: 1 } }));
    const [apiKey, webhookSecret] = [makeApiKey(), 'whsec_AAAA'];

    const made = await ensureFirstAccount({ apiKey, webhookSecret, rateLimit: 0 });

    expect(made).toMatchObject({ apiKey, webhookSecret });
    expect(made.account.webhook_secrets).toEqual([webhookSecret]);
  });

  test.each([
    [{ apiKey: 'serp_short' }, 'API_KEY'],
    [{ webhookSecret: 'secret' }, 'WEBHOOK_SECRET'],
    [{ webhookSecret: 'whsec_not base64' }, 'WEBHOOK_SECRET'],
    [{ webhookSecret: 'a whsec_AAAA' }, 'WEBHOOK_SECRET'],
  ])('refuses %j', async (settings, name) => {
    await expect(ensureFirstAccount({ ...settings, rateLimit: 0 })).rejects.toThrow(name);
  });

  test('is not named by a key or a secret in the table', async () => {
    const { account, apiKey } = await ensureFirstAccount({ rateLimit: 0 });

    expect(JSON.stringify(account)).not.toContain(apiKey);
    expect(account.key_hash).toBe(hashApiKey(apiKey));
  });
});

test('further accounts have ids of their own, even made at once, and no admin among them', async () => {
  const made = await Promise.all(Array.from({ length: 5 }, () => createAccount()));

  const ids = made.map(({ account }) => account.id);
  expect(new Set([1, ...ids]).size).toBe(6);
  for (const { account } of made) {
    expect(account).toMatchObject({
      name: '',
      email: '',
      permissions: ['engines'],
      rate_limit: defaultRateLimit,
      enabled: true,
    });
  }
});

test('an id that is taken is not written over', async () => {
  const { account } = await createAccount();

  await expect(createAccount({ id: account.id })).rejects.toThrow('conditional');
});

describe('rate', () => {
  const minute = 1_790_000_040;

  test('counts a fixed window of a minute, and begins anew with the next', async () => {
    const { account } = await createAccount({ rate_limit: 2 });
    const left = async (now: number) => (await countRequest(account, now))['RateLimit-Remaining'];

    expect(await left(minute)).toBe('1');
    expect(await left(minute + 59)).toBe('0');
    await expect(countRequest(account, minute + 59)).rejects.toMatchObject({
      statusCode: 429,
      detail: 'Too many requests: wait for the next minute',
      headers: {
        'RateLimit-Limit': '2',
        'RateLimit-Remaining': '0',
        'RateLimit-Reset': '1',
        'Retry-After': '1',
      },
    });
    expect(await left(minute + 60)).toBe('1');
  });

  test('loses no count to requests at the same moment', async () => {
    const { account } = await createAccount({ rate_limit: 10 });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 25 }, () => countRequest(account, minute)),
    );

    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
  });

  test('is not counted for an account without a limit', async () => {
    const { account } = await createAccount({ rate_limit: 0 });

    expect(await countRequest(account, minute)).toEqual({});
  });

  test('lets an address guess 30 keys a minute', async () => {
    const guess = (now: number, address = '192.0.2.1') =>
      authenticate('Bearer guess', address, now).catch(({ statusCode }) => statusCode);
    const statuses = [];
    for (let n = 0; n < 32; n++) statuses.push(await guess(minute));

    expect(statuses).toEqual([...Array(30).fill(401), 429, 429]);
    expect(await guess(minute, '192.0.2.2')).toBe(401);
    expect(await guess(minute + 60)).toBe(401);
  });
});
