/** Authorization headers that identify an account, headers that are refused, and the content of a refusal. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Account } from '../../../lib/model/user.ts';
import { startTables } from '../../tables.ts';

// The stores read their names from the environment when they are imported.
const tables = await startTables();
const { dynamo } = await import('../../../lib/runtime/aws.ts');
const { putAccount } = await import('../../../lib/store/users.ts');
const { hashApiKey, makeApiKey } = await import('../../../lib/access/api-key.ts');
const { authenticate } = await import('../../../lib/access/authenticate.ts');
const { createAccount } = await import('../../../lib/access/create-account.ts');
afterAll(() => tables.stop());

const now = 1_790_000_040;
const apiKey = 'serp_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcd0omAup';
/** A well-formed key that belongs to no account. */
const strayKey = 'serp_2z0GEYqfhJgPwsupKt7mWo4jzd2M3BEr25mvYr0v4FnqkP';

let account: Account;
beforeAll(async () => {
  ({ account } = await createAccount({ apiKey }));
});

/** Each call has its own client address, so that none is refused for too many failures. */
let calls = 0;
const ask = (authorization: string) => authenticate(authorization, `address-${calls++}`, now);

test.each([
  ['as documented', `Bearer ${apiKey}`],
  ['with the scheme in lower case', `bearer ${apiKey}`],
  ['with spaces before the key', `Bearer   ${apiKey}`],
  ['with spaces after the key', `Bearer ${apiKey}  `],
])('a header %s identifies the account', async (_, authorization) => {
  expect(await ask(authorization)).toEqual(account);
});

test.each([
  ['that is empty', ''],
  ['without a key', 'Bearer'],
  ['without a scheme', apiKey],
  ['of another scheme', `Basic ${apiKey}`],
  ['with a word before the scheme', `Basic Bearer ${apiKey}`],
  ['with a word after the key', `Bearer ${apiKey} extra`],
  ['with a key of no account', `Bearer ${strayKey}`],
])('a header %s is refused with 401', async (_, authorization) => {
  await expect(ask(authorization)).rejects.toMatchObject({
    statusCode: 401,
    detail: 'Could not validate credentials',
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
});

test('a malformed key is refused without a query of the users table', async () => {
  const send = vi.spyOn(dynamo, 'send');
  onTestFinished(() => send.mockRestore());
  const queries = () => send.mock.calls.filter(([{ input }]) => 'IndexName' in input).length;

  // A key may be in either of the two indexes.
  await ask(`Bearer ${strayKey}`).catch(() => {});
  expect(queries()).toBe(2);
  await ask(`Bearer x${apiKey}`).catch(() => {});
  expect(queries()).toBe(2);
});

describe('the key of an account that', () => {
  const keyOf = async (id: number, changes: Partial<Account>) => {
    const key = makeApiKey();
    await putAccount({ ...account, id, key_hash: hashApiKey(key), ...changes });
    return key;
  };

  test.each([
    ['is disabled', 901, { enabled: false }],
    ['has expired', 902, { ttl: now }],
  ])('%s is refused', async (_, id, changes) => {
    const key = await keyOf(id, changes);
    await expect(ask(`Bearer ${key}`)).rejects.toMatchObject({ statusCode: 401 });
  });

  test('expires later is accepted', async () => {
    const key = await keyOf(903, { ttl: now + 1 });
    expect(await ask(`Bearer ${key}`)).toMatchObject({ id: 903 });
  });
});
