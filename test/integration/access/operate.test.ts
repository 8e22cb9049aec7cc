/**
 * Operations on accounts: list, show, disable, enable, limit, and the rotation of keys and webhook secrets.
 */
import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startTables } from '../../tables.ts';

const { stop } = await startTables();
const { dynamo } = await import('../../../lib/runtime/aws.ts');
const { hashApiKey, makeApiKey } = await import('../../../lib/access/api-key.ts');
const { authenticate } = await import('../../../lib/access/authenticate.ts');
const { createAccount } = await import('../../../lib/access/create-account.ts');
const { enableAccount } = await import('../../../lib/access/enable-account.ts');
const { ensureFirstAccount } = await import('../../../lib/access/first-account.ts');
const { limitAccount } = await import('../../../lib/access/limit-account.ts');
const { listAccounts } = await import('../../../lib/access/list-accounts.ts');
const { rotateKey } = await import('../../../lib/access/rotate-key.ts');
const { rotateSecret } = await import('../../../lib/access/rotate-secret.ts');
const { showAccount } = await import('../../../lib/access/show-account.ts');
const { secretsAt } = await import('../../../lib/model/user.ts');
const { readAccount } = await import('../../../lib/store/users.ts');

afterAll(() => stop());

const now = 1_790_000_000;
const day = 86_400;

/** The id of the user with this key, or the status of the error. */
const answerTo = (apiKey: string, at = now): Promise<string> =>
  authenticate(`Bearer ${apiKey}`, 'here', at).then(
    ({ id }) => `user ${id}`,
    ({ statusCode }) => `error ${statusCode}`,
  );

const hintOf = (apiKey: string): string => hashApiKey(apiKey).slice(0, 8);

describe('list and show', () => {
  test('return every account in order of id, without key hash, secrets and signing key', async () => {
    const ada = await createAccount({ name: 'Ada', email: 'ada@mail.example', rate_limit: 7 }, now);
    const bob = await createAccount({ permissions: ['admin', 'engines'] }, now + 1);

    const listed = await listAccounts(now);

    const view = {
      id: ada.account.id,
      name: 'Ada',
      email: 'ada@mail.example',
      enabled: true,
      ttl: 0,
      permissions: ['engines'],
      read_only: false,
      rate_limit: 7,
      created_at: now,
      key_hint: hintOf(ada.apiKey),
      former_key: null,
      former_secret_until: null,
    };
    expect(listed.map(({ id }) => id)).toEqual([ada.account.id, bob.account.id]);
    expect(listed[0]).toEqual(view);
    expect(await showAccount(ada.account.id, now)).toEqual(view);
    expect(JSON.stringify(listed)).not.toContain(ada.account.key_hash);
    expect(JSON.stringify(listed)).not.toMatch(/whsec_|signing/);
  });

  test('return more accounts than fit into one page of the table', async () => {
    const before = (await listAccounts()).length;
    const name = 'n'.repeat(90_000);
    for (let n = 0; n < 15; n++) await createAccount({ name });

    expect(await listAccounts()).toHaveLength(before + 15);
  });
});

describe('disable and enable', () => {
  test('take effect at the next request', async () => {
    const { account, apiKey } = await createAccount();

    await enableAccount(account.id, false);
    expect(await answerTo(apiKey)).toBe('error 401');
    expect(await showAccount(account.id)).toMatchObject({ enabled: false });

    await enableAccount(account.id, true);
    expect(await answerTo(apiKey)).toBe(`user ${account.id}`);
  });
});

describe('limit', () => {
  test('replaces the requests per minute', async () => {
    const { account } = await createAccount();

    await limitAccount(account.id, 0);

    expect(await showAccount(account.id)).toMatchObject({ rate_limit: 0 });
  });

  test.each([-1, 1.5, 1_000_001, Number.NaN])('refuses %d', async (limit) => {
    const { account } = await createAccount();

    await expect(limitAccount(account.id, limit)).rejects.toMatchObject({ statusCode: 422 });
  });
});

describe('rotate', () => {
  test('makes a new key, and the former key works until the grace ends', async () => {
    const { account, apiKey: former } = await createAccount();

    const { apiKey, former_until } = await rotateKey(account.id, {}, now);

    expect(former_until).toBe(now + day);
    expect(await answerTo(apiKey)).toBe(`user ${account.id}`);
    expect(await answerTo(former, now + day - 1)).toBe(`user ${account.id}`);
    expect(await answerTo(former, now + day)).toBe('error 401');
    expect(await answerTo(apiKey, now + day)).toBe(`user ${account.id}`);
    expect(await showAccount(account.id, now)).toMatchObject({
      key_hint: hintOf(apiKey),
      former_key: { hint: hintOf(former), until: now + day },
    });
    expect(await showAccount(account.id, now + day)).toMatchObject({ former_key: null });
  });

  test('ends the former key at once if the grace is 0, even if the clock of a function is behind', async () => {
    const { account, apiKey: former } = await createAccount();

    const { apiKey, former_until } = await rotateKey(account.id, { grace: 0 }, now);

    expect(former_until).toBeNull();
    expect(await answerTo(former, now - 60)).toBe('error 401');
    expect(await answerTo(apiKey)).toBe(`user ${account.id}`);
  });

  test('can be repeated, and at most two keys are valid', async () => {
    const { account, apiKey: first } = await createAccount();
    const keys = [first];
    for (let n = 0; n < 5; n++) keys.push((await rotateKey(account.id, { grace: 60 }, now + n * 60)).apiKey);

    const answers = await Promise.all(keys.map((key) => answerTo(key, now + 4 * 60)));

    const valid = `user ${account.id}`;
    expect(answers).toEqual(['error 401', 'error 401', 'error 401', 'error 401', valid, valid]);
  });

  test('is refused while a former key works, and changes nothing', async () => {
    const { account, apiKey: first } = await createAccount();
    const { apiKey: second } = await rotateKey(account.id, {}, now);

    await expect(rotateKey(account.id, {}, now + day - 1)).rejects.toMatchObject({
      statusCode: 409,
      message: expect.stringContaining(new Date((now + day) * 1000).toISOString()),
    });

    expect(await answerTo(first)).toBe(`user ${account.id}`);
    expect(await answerTo(second)).toBe(`user ${account.id}`);
  });

  test('with a grace of 0 ends both working keys', async () => {
    const { account, apiKey: first } = await createAccount();
    const { apiKey: second } = await rotateKey(account.id, {}, now);

    const { apiKey: third } = await rotateKey(account.id, { grace: 0 }, now);

    const answers = await Promise.all([first, second, third].map((key) => answerTo(key)));
    expect(answers).toEqual(['error 401', 'error 401', `user ${account.id}`]);
  });

  test('of a lost key replaces the newest key only', async () => {
    const { account, apiKey: first } = await createAccount();
    const { apiKey: lost } = await rotateKey(account.id, {}, now);

    const { apiKey: third, former_until } = await rotateKey(account.id, { lost: true }, now + 60);

    expect(former_until).toBe(now + day);
    const answers = await Promise.all([first, lost, third].map((key) => answerTo(key, now + 60)));
    expect(answers).toEqual([`user ${account.id}`, 'error 401', `user ${account.id}`]);
    expect(await answerTo(first, now + day)).toBe('error 401');
  });

  test('twice at the same time: one rotation succeeds and the other changes nothing', async () => {
    const { account, apiKey: former } = await createAccount();

    const outcomes = await Promise.allSettled([
      rotateKey(account.id, {}, now),
      rotateKey(account.id, {}, now),
    ]);

    const [won] = outcomes.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    const lost = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
    expect(lost).toEqual([expect.objectContaining({ statusCode: 409 })]);
    expect(await answerTo(won?.apiKey ?? '')).toBe(`user ${account.id}`);
    expect(await answerTo(former)).toBe(`user ${account.id}`);
  });

  test('at the same time as a new secret: each success is stored, and a failure changes nothing', async () => {
    const { account } = await createAccount();

    const outcomes = await Promise.allSettled([
      rotateKey(account.id, {}, now),
      rotateSecret(account.id, {}, now),
    ]);

    const after = await showAccount(account.id, now);
    expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual([
      after.former_key !== null,
      after.former_secret_until !== null,
    ]);
    expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true);
  });

  test('does not enable an account that is disabled at the same time', async () => {
    const { account } = await createAccount();

    await Promise.all([rotateKey(account.id, {}, now), enableAccount(account.id, false)]);

    expect(await showAccount(account.id, now)).toMatchObject({ enabled: false });
  });

  test.each([-1, 0.5, 30 * day + 1])('refuses a grace of %d seconds', async (grace) => {
    const { account } = await createAccount();

    await expect(rotateKey(account.id, { grace }, now)).rejects.toMatchObject({ statusCode: 422 });
    await expect(rotateSecret(account.id, { grace }, now)).rejects.toMatchObject({ statusCode: 422 });
  });

  test('answers with the new key if the SDK has sent the write twice, because its answer was lost', async () => {
    const { account } = await createAccount({}, now);
    const send = dynamo.send.bind(dynamo);
    const twice = vi.spyOn(dynamo, 'send').mockImplementation(async (command) => {
      if (command instanceof UpdateCommand) await send(command);
      return send(command);
    });

    const { apiKey } = await rotateKey(account.id, {}, now).finally(() => twice.mockRestore());

    expect(await answerTo(apiKey)).toBe(`user ${account.id}`);
  });

  test('never refuses the former or the new key while it rotates', async () => {
    const { account, apiKey: former } = await createAccount({ rate_limit: 0 });
    const usable = [former];
    const answers: string[] = [];
    let isDone = false;
    const client = async () => {
      for (let n = 0; !isDone; n++) answers.push(await answerTo(usable[n % usable.length] ?? ''));
    };
    const clients = [client(), client(), client()];

    usable.push((await rotateKey(account.id, {}, now)).apiKey);
    const before = answers.length;
    while (answers.length < before + 200) await new Promise((resolve) => setImmediate(resolve));
    isDone = true;
    await Promise.all(clients);

    expect(new Set(answers)).toEqual(new Set([`user ${account.id}`]));
  });
});

describe('secret', () => {
  test('adds a secret, and the former one signs until the grace ends', async () => {
    const { account, webhookSecret: former } = await createAccount();

    const { webhookSecret, former_until } = await rotateSecret(account.id, {}, now);

    const stored = await readAccount(account.id);
    if (!stored) throw new Error('no account');
    expect(former_until).toBe(now + day);
    expect(secretsAt(stored, now + day - 1)).toEqual([webhookSecret, former]);
    expect(secretsAt(stored, now + day)).toEqual([webhookSecret]);
  });

  test('removes secrets that no longer sign when it adds another one', async () => {
    const { account } = await createAccount();
    const second = await rotateSecret(account.id, {}, now);
    const third = await rotateSecret(account.id, {}, now + day);

    expect((await readAccount(account.id))?.webhook_secrets).toEqual([
      third.webhookSecret,
      second.webhookSecret,
    ]);
  });

  test('with a grace of 0 keeps only the new secret', async () => {
    const { account } = await createAccount();
    await rotateSecret(account.id, {}, now);
    const { webhookSecret, former_until } = await rotateSecret(account.id, { grace: 0 }, now);

    expect(former_until).toBeNull();
    expect((await readAccount(account.id))?.webhook_secrets).toEqual([webhookSecret]);
  });

  test('is refused while a former secret signs, unless the newest one is lost', async () => {
    const { account, webhookSecret: first } = await createAccount();
    await rotateSecret(account.id, {}, now);

    await expect(rotateSecret(account.id, {}, now + 1)).rejects.toMatchObject({ statusCode: 409 });

    const { webhookSecret, former_until } = await rotateSecret(account.id, { lost: true }, now + 1);
    expect(former_until).toBe(now + day);
    expect((await readAccount(account.id))?.webhook_secrets).toEqual([webhookSecret, first]);
  });
});

describe('a user who does not exist', () => {
  // The item with id 0 is the id counter.
  test.each([0, 4711])('gives 404: %d', async (id) => {
    const missing = { statusCode: 404, message: `There is no user ${id}` };
    await createAccount();

    await expect(showAccount(id)).rejects.toMatchObject(missing);
    await expect(enableAccount(id, false)).rejects.toMatchObject(missing);
    await expect(limitAccount(id, 5)).rejects.toMatchObject(missing);
    await expect(rotateKey(id)).rejects.toMatchObject(missing);
    await expect(rotateSecret(id)).rejects.toMatchObject(missing);
    expect((await listAccounts()).map((each) => each.id)).not.toContain(id);
  });
});

describe('the first account', () => {
  test('keeps a former key across a start with its newest key', async () => {
    const { apiKey: former } = await ensureFirstAccount({ rateLimit: 0 });
    const { apiKey } = await rotateKey(1, {}, now);
    const { webhookSecret } = await rotateSecret(1, {}, now);

    const started = await ensureFirstAccount({ apiKey, webhookSecret, rateLimit: 3 });

    expect(started.account.rate_limit).toBe(3);
    expect(await answerTo(former)).toBe('user 1');
    expect(await answerTo(apiKey)).toBe('user 1');
    expect((await readAccount(1))?.webhook_secrets).toHaveLength(2);
  });

  test('loses both keys at once if a start sets another key', async () => {
    const { apiKey: first } = await ensureFirstAccount({ rateLimit: 0 });
    const { apiKey: second } = await rotateKey(1, {}, now);
    const apiKey = makeApiKey();

    await ensureFirstAccount({ apiKey, rateLimit: 0 });

    const answers = await Promise.all([first, second, apiKey].map((key) => answerTo(key)));
    expect(answers).toEqual(['error 401', 'error 401', 'user 1']);
  });
});

describe('an account of version 1', () => {
  const apiKey = makeApiKey();
  const secrets = ['whsec_AAAA', 'whsec_BBBB'];
  beforeAll(() =>
    dynamo.send(
      new PutCommand({
        TableName: process.env.USERS_TABLE,
        Item: {
          id: 900,
          name: 'Former',
          email: '',
          ttl: 0,
          enabled: true,
          key_hash: hashApiKey(apiKey),
          permissions: ['engines'],
          rate_limit: 2000,
          webhook_secrets: secrets,
          signing_key: 'AAAA',
        },
      }),
    ),
  );

  test('is authenticated, shown and disabled', async () => {
    expect(await answerTo(apiKey)).toBe('user 900');
    expect(await showAccount(900)).toMatchObject({
      key_hint: hintOf(apiKey),
      created_at: 0,
      former_key: null,
    });
    await enableAccount(900, false);
    expect(await answerTo(apiKey)).toBe('error 401');
    await enableAccount(900, true);
    expect(await answerTo(apiKey)).toBe('user 900');
  });

  test('signs with all its secrets', async () => {
    const account = await readAccount(900);

    expect(account && secretsAt(account, now)).toEqual(secrets);
  });

  test('can be rotated', async () => {
    const { apiKey: next } = await rotateKey(900, {}, now);

    expect(await answerTo(apiKey)).toBe('user 900');
    expect(await answerTo(next)).toBe('user 900');
    const { webhookSecret } = await rotateSecret(900, {}, now);
    expect((await readAccount(900))?.webhook_secrets).toEqual([webhookSecret, 'whsec_AAAA']);
  });
});

test('throws on an account that a later release wrote', async () => {
  const apiKey = makeApiKey();
  const item = { id: 901, version: 3, key_hash: hashApiKey(apiKey), signing_key: 'AAAA' };
  await dynamo.send(new PutCommand({ TableName: process.env.USERS_TABLE, Item: item }));

  await expect(readAccount(901)).rejects.toThrow('written by a later release');
  await expect(authenticate(`Bearer ${apiKey}`, 'here')).rejects.toThrow('written by a later release');
});
