/** Accounts in the users table: the first account across restarts, further accounts, and rate limits. */
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, describe, expect, test } from 'vitest';
import { defaultRateLimit } from '../../../lib/model/request-limits.ts';
import { startTables } from '../../tables.ts';

// The stores read their names from the environment when they are imported.
const tables = await startTables();
const { dynamo } = await import('../../../lib/runtime/aws.ts');
const { hashApiKey, makeApiKey } = await import('../../../lib/access/api-key.ts');
const { authenticate } = await import('../../../lib/access/authenticate.ts');
const { createAccount } = await import('../../../lib/access/create-account.ts');
const { ensureFirstAccount } = await import('../../../lib/access/first-account.ts');
const { newestKey } = await import('../../../lib/access/account-keys.ts');
const { countPages, countRequest } = await import('../../../lib/access/rate.ts');
afterAll(() => tables.stop());

describe('the first account', () => {
  test('is user 1 with the permission admin, and is updated to the given settings', async () => {
    const first = await ensureFirstAccount({ rateLimit: 2000 });
    expect(first.account).toMatchObject({
      id: 1,
      name: 'admin',
      permissions: ['admin', 'engines'],
      rate_limit: 2000,
    });
    expect(first.webhookSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);

    const again = await ensureFirstAccount({ apiKey: first.apiKey, rateLimit: 0 });
    expect(again).toEqual({ ...first, account: { ...first.account, rate_limit: 0, revision: 2 } });

    const apiKey = makeApiKey();
    const replaced = await ensureFirstAccount({ apiKey, webhookSecret: 'whsec_AAAA', rateLimit: 5 });
    expect(replaced.account).toEqual({
      ...first.account,
      key_until: 1,
      other_key_hash: hashApiKey(apiKey),
      webhook_secrets: ['whsec_AAAA'],
      rate_limit: 5,
      revision: 3,
    });
    expect(await authenticate(`Bearer ${apiKey}`, 'here')).toEqual(replaced.account);
    await expect(authenticate(`Bearer ${first.apiKey}`, 'here')).rejects.toThrow('validate');

    const reset = await ensureFirstAccount({ rateLimit: 5 });
    expect(reset.apiKey).not.toBe(apiKey);
    expect(reset.webhookSecret).toBe('whsec_AAAA');
  });

  test('is created with the key and the secret of the settings', async () => {
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
  ])('cannot have the settings %j', async (settings, name) => {
    await expect(ensureFirstAccount({ ...settings, rateLimit: 0 })).rejects.toThrow(name);
  });

  test('stores the hash of its key, not the key', async () => {
    const { account, apiKey } = await ensureFirstAccount({ rateLimit: 0 });

    expect(JSON.stringify(account)).not.toContain(apiKey);
    expect(newestKey(account).hash).toBe(hashApiKey(apiKey));
  });
});

test('gives each further account its own id, even concurrently, and no admin permission', async () => {
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

test('gives an id that no account has after a restore has set the counter of ids back', async () => {
  const made = [await createAccount(), await createAccount()];
  const TableName = process.env.USERS_TABLE;
  await dynamo.send(new PutCommand({ TableName, Item: { id: 0, last_id: 1 } }));

  const { account } = await createAccount();

  expect(account.id).toBe(Math.max(...made.map((each) => each.account.id)) + 1);
});

test('does not overwrite an account whose id is taken', async () => {
  const { account } = await createAccount();

  await expect(createAccount({ id: account.id })).rejects.toThrow('conditional');
});

describe('the rate limit', () => {
  const minute = 1_790_000_040;

  test('counts in fixed windows of a minute, and restarts with the next window', async () => {
    const { account } = await createAccount({ rate_limit: 2 });
    const remaining = async (now: number) => (await countRequest(account, now))['RateLimit-Remaining'];

    expect(await remaining(minute)).toBe('1');
    expect(await remaining(minute + 59)).toBe('0');
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
    expect(await remaining(minute + 60)).toBe('1');
  });

  test('counts every concurrent request', async () => {
    const { account } = await createAccount({ rate_limit: 10 });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 25 }, () => countRequest(account, minute)),
    );

    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
  });

  test('does not apply if it is 0', async () => {
    const { account } = await createAccount({ rate_limit: 0 });

    expect(await countRequest(account, minute)).toEqual({});
  });

  test('counts the pages of batches: 25 for each request, and the batch that reaches the limit is accepted', async () => {
    const { account } = await createAccount({ rate_limit: 4 });
    await countPages(account, 99, minute);
    await countPages(account, 1000, minute + 1);

    await expect(countPages(account, 1, minute + 59)).rejects.toMatchObject({
      statusCode: 429,
      detail: 'Too many pages: wait for the next minute',
      headers: { 'Retry-After': '1' },
    });
    await countPages(account, 10_000, minute + 60);
  });

  test('does not count the pages of an account without a limit', async () => {
    const { account } = await createAccount({ rate_limit: 0 });
    await countPages(account, 1_000_000, minute);
    await countPages(account, 1_000_000, minute);
  });

  test('allows an address 30 failed keys per minute', async () => {
    const guess = (now: number, address = '192.0.2.1') =>
      authenticate('Bearer guess', address, now).catch(({ statusCode }) => statusCode);
    const statuses = [];
    for (let n = 0; n < 32; n++) statuses.push(await guess(minute));

    expect(statuses).toEqual([...Array(30).fill(401), 429, 429]);
    expect(await guess(minute, '192.0.2.2')).toBe(401);
    expect(await guess(minute + 60)).toBe(401);
  });
});
