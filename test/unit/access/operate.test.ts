/** Operations on accounts: what they change, what they show, and what they refuse. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { hashApiKey, makeApiKey } from '../../../lib/access/api-key.ts';
import { authenticate } from '../../../lib/access/authenticate.ts';
import { createAccount, makeWebhookSecret } from '../../../lib/access/create-account.ts';
import { enableAccount } from '../../../lib/access/enable-account.ts';
import { ensureFirstAccount, isValidKey } from '../../../lib/access/first-account.ts';
import { limitAccount } from '../../../lib/access/limit-account.ts';
import { listAccounts } from '../../../lib/access/list-accounts.ts';
import { rotateKey, rotateOwnKey } from '../../../lib/access/rotate-key.ts';
import { rotateSecret } from '../../../lib/access/rotate-secret.ts';
import { noSuchUser } from '../../../lib/access/rotation.ts';
import { showAccount } from '../../../lib/access/show-account.ts';
import { viewUser } from '../../../lib/access/view-user.ts';
import { rotateWebhookSecret, showWebhookSecret } from '../../../lib/access/webhook-secret.ts';
import { log } from '../../../lib/runtime/log.ts';
import { accountAt, accounts } from './accounts.ts';

vi.mock(import('../../../lib/store/users.ts'), () => import('./accounts.ts').then(({ users }) => users));
vi.mock(import('../../../lib/store/limits.ts'), () => import('./accounts.ts').then(({ limits }) => limits));

const now = 1_790_000_000;
const day = 86_400;

beforeEach(() => {
  accounts.clear();
});

/** The id of the user with this key, or the status of the error. */
const answerTo = (apiKey: string, at = now): Promise<number> =>
  authenticate(`Bearer ${apiKey}`, 'here', at).then(
    ({ id }) => id,
    ({ statusCode }) => statusCode,
  );

const hintOf = (apiKey: string): string => hashApiKey(apiKey).slice(0, 8);

describe('a new account', () => {
  test('has a key, a secret and a key for links, and no permission of an admin', async () => {
    const { account, apiKey, webhookSecret } = await createAccount({}, now);

    expect(account).toEqual({
      id: 2,
      name: '',
      email: '',
      ttl: 0,
      enabled: true,
      permissions: ['engines'],
      rate_limit: 2000,
      key_hash: hashApiKey(apiKey),
      key_until: 0,
      other_key_until: 0,
      webhook_secrets: [webhookSecret],
      former_secret_until: 0,
      signing_key: expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/),
      created_at: now,
      revision: 1,
    });
    expect(accountAt(2)).toBe(account);
    expect(webhookSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(makeWebhookSecret()).not.toBe(webhookSecret);
    expect(await answerTo(apiKey)).toBe(2);
  });

  test('may have its own fields, and a limit within bounds', async () => {
    expect((await createAccount({ id: 9, name: 'Ada', rate_limit: 0, ttl: 5 })).account).toMatchObject({
      id: 9,
      name: 'Ada',
      rate_limit: 0,
      ttl: 5,
    });
    await expect(createAccount({ rate_limit: -1 })).rejects.toMatchObject({
      statusCode: 422,
      message: 'The limit must be a whole number from 0 to 1000000',
    });
    expect(accounts.size).toBe(1);
  });
});

test('accounts are listed by id, without hashes, secrets and keys', async () => {
  const bob = await createAccount({ id: 3 }, now);
  const ada = await createAccount({ id: 2, name: 'Ada', email: 'ada@mail.example', rate_limit: 7 }, now);

  const view = {
    id: 2,
    name: 'Ada',
    email: 'ada@mail.example',
    enabled: true,
    ttl: 0,
    permissions: ['engines'],
    rate_limit: 7,
    read_only: false,
    created_at: now,
    key_hint: hintOf(ada.apiKey),
    former_key: null,
    former_secret_until: null,
  };
  expect(await listAccounts(now)).toEqual([
    view,
    expect.objectContaining({ id: 3, key_hint: hintOf(bob.apiKey) }),
  ]);
  expect(await showAccount(2, now)).toEqual(view);
});

describe('an account', () => {
  test('is disabled and enabled', async () => {
    const { account, apiKey } = await createAccount({}, now);

    await enableAccount(account.id, false);
    expect(await answerTo(apiKey)).toBe(401);
    await enableAccount(account.id, true);
    expect(await answerTo(apiKey)).toBe(account.id);
  });

  test.each([0, 1, 1_000_000])('may have the limit %i', async (limit) => {
    await createAccount({ id: 2 });
    await limitAccount(2, limit);

    expect(accountAt(2).rate_limit).toBe(limit);
  });

  test.each([-1, 1.5, 1_000_001, Number.NaN])('cannot have the limit %d', async (limit) => {
    await createAccount({ id: 2 });

    await expect(limitAccount(2, limit)).rejects.toMatchObject({ statusCode: 422 });
    expect(accountAt(2).rate_limit).toBe(2000);
  });

  test('that does not exist is not found', async () => {
    const missing = { statusCode: 404, message: 'There is no user 4711' };

    await expect(showAccount(4711)).rejects.toMatchObject(missing);
    await expect(enableAccount(4711, false)).rejects.toMatchObject(missing);
    await expect(limitAccount(4711, 5)).rejects.toMatchObject(missing);
    await expect(rotateKey(4711)).rejects.toMatchObject(missing);
    await expect(rotateSecret(4711)).rejects.toMatchObject(missing);
    await expect(showWebhookSecret({ id: 4711 })).rejects.toMatchObject(missing);
    expect(noSuchUser(-1).message).toBe('There is no such user');
    expect(noSuchUser(0).message).toBe('There is no user 0');
  });
});

test('a key is valid for its own account, as long as it works', async () => {
  const { apiKey: former } = await createAccount({ id: 2 }, now);
  const { apiKey: other } = await createAccount({ id: 3 }, now);
  const { apiKey } = await rotateKey(2, { grace: 0 }, now);

  expect([apiKey, former, other].map((key) => isValidKey(accountAt(2), key))).toEqual([true, false, false]);
});

describe('a new key', () => {
  const given = async () => (await createAccount({ id: 2 }, now)).apiKey;

  test('that a user makes works beside the one of the request, for as long as the user says', async () => {
    const former = await given();
    const info = vi.spyOn(log, 'info').mockReturnValue();
    vi.useFakeTimers({ now: now * 1000, toFake: ['Date'] });
    const { api_key, former_until } = await rotateOwnKey({ id: 2 }, 60);
    vi.useRealTimers();

    expect(former_until).toBe(now + 60);
    expect(await answerTo(api_key)).toBe(2);
    expect(await answerTo(former, now + 59)).toBe(2);
    expect(await answerTo(former, now + 60)).toBe(401);
    expect(info).toHaveBeenCalledExactlyOnceWith('user changed', { user: 2, key: 'rotated' });
    info.mockRestore();
  });

  test('works beside the former one for a day', async () => {
    const former = await given();
    const { apiKey, former_until } = await rotateKey(2, {}, now);

    expect(former_until).toBe(now + day);
    expect(await answerTo(apiKey)).toBe(2);
    expect(await answerTo(former, now + day - 1)).toBe(2);
    expect(await answerTo(former, now + day)).toBe(401);
    expect(await answerTo(apiKey, now + day)).toBe(2);
    expect(await showAccount(2, now + day - 1)).toMatchObject({
      key_hint: hintOf(apiKey),
      former_key: { hint: hintOf(former), until: now + day },
    });
    expect(await showAccount(2, now + day)).toMatchObject({ former_key: null });
  });

  test('ends the former one at once if the grace is 0', async () => {
    const former = await given();
    const { apiKey, former_until } = await rotateKey(2, { grace: 0 }, now);

    expect(former_until).toBeNull();
    expect(await answerTo(former, 2)).toBe(401);
    expect(await answerTo(apiKey)).toBe(2);
  });

  test('is refused while a former one works, unless both are to end, or the newest one is lost', async () => {
    const first = await given();
    const { apiKey: second } = await rotateKey(2, { grace: 60 }, now);

    await expect(rotateKey(2, { grace: 1 }, now + 59)).rejects.toMatchObject({
      statusCode: 409,
      message: `User 2 already has two keys; the former one is valid until ${new Date((now + 60) * 1000).toISOString()}. Rotate again after that, or with the grace 0, which ends both`,
    });
    expect([await answerTo(first), await answerTo(second)]).toEqual([2, 2]);

    const { apiKey: third, former_until } = await rotateKey(2, { lost: true }, now + 59);
    expect(former_until).toBe(now + 60);
    expect([await answerTo(first), await answerTo(second), await answerTo(third)]).toEqual([2, 401, 2]);

    const { apiKey: fourth } = await rotateKey(2, { grace: 0 }, now + 59);
    expect([await answerTo(first), await answerTo(third), await answerTo(fourth)]).toEqual([401, 401, 2]);
  });

  test('may follow when the former one has ended', async () => {
    await given();
    const { apiKey: second } = await rotateKey(2, { grace: 60 }, now);
    const { apiKey: third } = await rotateKey(2, { grace: 60 }, now + 60);

    expect([await answerTo(second, now + 61), await answerTo(third, now + 61)]).toEqual([2, 2]);
  });

  test.each([
    [0, true],
    [30 * day, true],
    [-1, false],
    [0.5, false],
    [30 * day + 1, false],
  ])('with the grace %d is made: %s', async (grace, isMade) => {
    await given();
    const rule = 'The grace must be a whole number of seconds, at most 30 days';
    for (const rotate of [rotateKey, rotateSecret]) {
      const rotated = rotate(2, { grace }, now);
      if (isMade) expect(await rotated).toMatchObject({ former_until: grace === 0 ? null : now + grace });
      else await expect(rotated).rejects.toMatchObject({ statusCode: 422, message: rule });
    }
  });

  test('that loses a race changes nothing', async () => {
    await given();
    const lost = {
      statusCode: 409,
      message: 'The keys or secrets of user 2 were changed at the same time, so nothing was done. Try again',
    };
    const before = accountAt(2);
    const [one, other] = await Promise.allSettled([rotateKey(2, {}, now), rotateSecret(2, {}, now)]);

    expect([one?.status, other?.status].toSorted()).toEqual(['fulfilled', 'rejected']);
    expect([one, other].find((each) => each?.status === 'rejected')).toMatchObject({ reason: lost });
    expect(accountAt(2).revision).toBe(before.revision + 1);
  });
});

test('of two new keys at the same time, one is made', async () => {
  await createAccount({ id: 2 }, now);
  const rotations = await Promise.allSettled([rotateKey(2, {}, now), rotateKey(2, {}, now)]);

  expect(rotations).toMatchObject([{ status: 'fulfilled' }, { reason: { statusCode: 409 } }]);
  expect(accountAt(2).revision).toBe(2);
});

describe('a new secret', () => {
  const given = async () => (await createAccount({ id: 2 }, now)).webhookSecret;
  const stored = () => [accountAt(2).webhook_secrets, accountAt(2).former_secret_until];

  test('signs beside the former one for a day', async () => {
    const former = await given();
    const { account, webhookSecret, former_until } = await rotateSecret(2, {}, now);

    expect(webhookSecret).toMatch(/^whsec_/);
    expect(former_until).toBe(now + day);
    expect(account).toBe(accountAt(2));
    expect(stored()).toEqual([[webhookSecret, former], now + day]);
    expect(await showAccount(2, now + day - 1)).toMatchObject({ former_secret_until: now + day });
    expect(await showAccount(2, now + day)).toMatchObject({ former_secret_until: null });
  });

  test('is the only one if the grace is 0', async () => {
    await given();
    const { webhookSecret, former_until } = await rotateSecret(2, { grace: 0 }, now);

    expect(former_until).toBeNull();
    expect(stored()).toEqual([[webhookSecret], 0]);
  });

  test('in the place of a lost one leaves the former one as it is', async () => {
    const first = await given();
    await rotateSecret(2, {}, now);
    const { webhookSecret, former_until } = await rotateSecret(2, { lost: true }, now + 1);

    expect(former_until).toBe(now + day);
    expect(stored()).toEqual([[webhookSecret, first], now + day]);
  });

  test('in the place of a lost one is the only one if there was no former one', async () => {
    await given();
    const { webhookSecret, former_until } = await rotateSecret(2, { lost: true }, now);

    expect(former_until).toBeNull();
    expect(stored()).toEqual([[webhookSecret], 0]);
  });

  test('is refused while a former one signs, and drops it afterwards', async () => {
    await given();
    const second = await rotateSecret(2, { grace: 60 }, now);

    await expect(rotateSecret(2, {}, now + 59)).rejects.toMatchObject({
      statusCode: 409,
      message: expect.stringContaining('two secrets'),
    });
    const third = await rotateSecret(2, {}, now + 60);
    expect(stored()).toEqual([[third.webhookSecret, second.webhookSecret], now + 60 + day]);
  });

  test('replaces both with the grace 0 while a former one signs', async () => {
    await given();
    await rotateSecret(2, {}, now);
    const { webhookSecret } = await rotateSecret(2, { grace: 0 }, now);

    expect(stored()).toEqual([[webhookSecret], 0]);
  });

  test('is shown to its user, with the former one', async () => {
    const first = await given();
    expect(await showWebhookSecret({ id: 2 }, now)).toEqual({
      secret: first,
      former_secret: null,
      former_until: null,
    });

    const rotated = await rotateWebhookSecret({ id: 2 }, 60, now);
    expect(rotated).toEqual({
      secret: accountAt(2).webhook_secrets[0],
      former_secret: first,
      former_until: now + 60,
    });
    expect(await showWebhookSecret({ id: 2 }, now + 60)).toMatchObject({
      former_secret: null,
      former_until: null,
    });
  });

  test('of an account whose secrets have no end, both are shown without an end', async () => {
    await given();
    accounts.set(2, { ...accountAt(2), webhook_secrets: ['whsec_a', 'whsec_b'], former_secret_until: 0 });

    expect(await showWebhookSecret({ id: 2 }, now)).toEqual({
      secret: 'whsec_a',
      former_secret: 'whsec_b',
      former_until: null,
    });
  });
});

describe('the first account', () => {
  test('is an admin with the id 1 and the settings that are given', async () => {
    const apiKey = makeApiKey();
    const made = await ensureFirstAccount({ apiKey, webhookSecret: 'whsec_AAAA', rateLimit: 3 });

    expect(made).toMatchObject({ apiKey, webhookSecret: 'whsec_AAAA' });
    expect(accountAt(1)).toMatchObject({
      name: 'admin',
      permissions: ['admin', 'engines'],
      rate_limit: 3,
      key_hash: hashApiKey(apiKey),
      webhook_secrets: ['whsec_AAAA'],
    });
  });

  test('gets a key and a secret if none is given', async () => {
    const { apiKey, webhookSecret } = await ensureFirstAccount({ rateLimit: 0 });

    expect(await answerTo(apiKey)).toBe(1);
    expect(webhookSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  });

  test('keeps its keys and secrets at a start with the newest ones', async () => {
    const { apiKey: former } = await ensureFirstAccount({ rateLimit: 0 });
    const { apiKey } = await rotateKey(1, {}, now);
    const { webhookSecret } = await rotateSecret(1, {}, now);
    const before = accountAt(1);

    const started = await ensureFirstAccount({ apiKey, webhookSecret, rateLimit: 3 });

    expect(started).toEqual({ account: accountAt(1), apiKey, webhookSecret });
    expect(accountAt(1)).toEqual({ ...before, rate_limit: 3, revision: before.revision + 1 });
    expect([await answerTo(former), await answerTo(apiKey)]).toEqual([1, 1]);
  });

  test('has only the key and the secret of a start that sets others', async () => {
    const { apiKey: first } = await ensureFirstAccount({ rateLimit: 0 });
    const { apiKey: second } = await rotateKey(1, {}, now);
    await rotateSecret(1, {}, now);
    const apiKey = makeApiKey();

    const { webhookSecret } = await ensureFirstAccount({ apiKey, webhookSecret: 'whsec_BBBB', rateLimit: 0 });

    expect([await answerTo(first), await answerTo(second), await answerTo(apiKey)]).toEqual([401, 401, 1]);
    expect(webhookSecret).toBe('whsec_BBBB');
    expect(accountAt(1)).toMatchObject({ webhook_secrets: ['whsec_BBBB'], former_secret_until: 0 });
  });

  test('gets a new key, and keeps its secret, at a start without settings', async () => {
    const { webhookSecret, apiKey: first } = await ensureFirstAccount({ rateLimit: 0 });
    const started = await ensureFirstAccount({ rateLimit: 0 });

    expect(started.webhookSecret).toBe(webhookSecret);
    expect([await answerTo(first), await answerTo(started.apiKey)]).toEqual([401, 1]);
  });

  test('is made with what its operator has stored', async () => {
    const stored = { apiKey: makeApiKey(), webhookSecret: 'whsec_AAAA' };
    const made = await ensureFirstAccount({ stored, rateLimit: 0 });

    expect(made).toMatchObject(stored);
    expect(await answerTo(stored.apiKey)).toBe(1);
  });

  test('keeps a key and a secret that replaced the stored ones', async () => {
    const stored = await ensureFirstAccount({ rateLimit: 0 });
    const { apiKey } = await rotateKey(1, { grace: 0 }, now);
    const { webhookSecret: secret } = await rotateSecret(1, {}, now);

    const started = await ensureFirstAccount({ stored, rateLimit: 3 });

    expect(started).toMatchObject({ apiKey: stored.apiKey, webhookSecret: secret });
    expect([await answerTo(stored.apiKey), await answerTo(apiKey)]).toEqual([401, 1]);
    expect(accountAt(1)).toMatchObject({ rate_limit: 3 });
  });

  test('has the key of a setting although another one is stored', async () => {
    const stored = await ensureFirstAccount({ rateLimit: 0 });
    const apiKey = makeApiKey();

    await ensureFirstAccount({ apiKey, stored, rateLimit: 0 });

    expect([await answerTo(stored.apiKey), await answerTo(apiKey)]).toEqual([401, 1]);
  });

  test('is not changed if it was changed at the same time', async () => {
    await ensureFirstAccount({ rateLimit: 0 });
    const starts = await Promise.allSettled([
      ensureFirstAccount({ rateLimit: 1 }),
      ensureFirstAccount({ rateLimit: 2 }),
    ]);

    expect(starts.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(starts.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { statusCode: 409, message: expect.stringContaining('user 1 ') },
    });
  });

  test.each([
    [{ apiKey: 'serp_short' }, 'API_KEY is not a key of this service: serp_ and 46 characters'],
    [{ webhookSecret: 'secret' }, 'WEBHOOK_SECRET'],
  ])('cannot have the settings %j', async (settings, message) => {
    await expect(ensureFirstAccount({ ...settings, rateLimit: 0 })).rejects.toThrow(message);
    expect(accounts.size).toBe(0);
  });
});

test('a user is shown with the key of the request, or a mask of its length', async () => {
  const { account, apiKey } = await createAccount({ id: 2, name: 'Ada', email: 'ada@mail.example' });
  const shown = { id: 2, email: 'ada@mail.example', name: 'Ada', ttl: 0, enabled: true };

  expect(viewUser(account, apiKey)).toEqual({ ...shown, api_key: apiKey });
  expect(viewUser(account, null)).toEqual({ ...shown, api_key: `serp_${'*'.repeat(46)}` });
});
