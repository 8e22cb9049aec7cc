/** How an admin changes users. The table and the rotations are replaced. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createAccount } from '../../../lib/access/create-account.ts';
import { createUser } from '../../../lib/access/create-user.ts';
import { changeUser, listUsers, rotateKeyOf, rotateSecretOf } from '../../../lib/access/manage-users.ts';
import { rotateKey } from '../../../lib/access/rotate-key.ts';
import { rotateSecret } from '../../../lib/access/rotate-secret.ts';
import { showAccount, viewAccount } from '../../../lib/access/show-account.ts';
import { viewUser } from '../../../lib/access/view-user.ts';
import { rotateWebhookSecret, showWebhookSecret } from '../../../lib/access/webhook-secret.ts';
import type { Account } from '../../../lib/model/user.ts';
import { log } from '../../../lib/runtime/log.ts';
import { changeAccount, readAccount, readAccountPage } from '../../../lib/store/users.ts';

vi.mock(import('../../../lib/store/users.ts'), () => ({
  changeAccount: vi.fn(),
  readAccount: vi.fn(),
  readAccountPage: vi.fn(),
}));
vi.mock(import('../../../lib/access/create-account.ts'), () => ({
  createAccount: vi.fn(),
}));
vi.mock(import('../../../lib/access/rotate-key.ts'), () => ({ rotateKey: vi.fn() }));
vi.mock(import('../../../lib/access/rotate-secret.ts'), () => ({
  rotateSecret: vi.fn(),
}));
vi.mock(import('../../../lib/access/show-account.ts'), () => ({
  showAccount: vi.fn(),
  viewAccount: vi.fn(),
}));

const admin = { id: 1, signing_key: Buffer.alloc(32, 1).toString('base64') } as unknown as Account;
const user = { id: 7, permissions: ['serp'] } as unknown as Account;
const shown = { id: 7 } as never;

beforeEach(() => {
  vi.resetAllMocks();
  vi.spyOn(log, 'info').mockReturnValue();
  vi.mocked(readAccount).mockResolvedValue(user);
  vi.mocked(changeAccount).mockResolvedValue(true as never);
  vi.mocked(showAccount).mockResolvedValue(shown);
  vi.mocked(rotateKey).mockResolvedValue({ apiKey: 'k', former_until: 5 } as never);
  vi.mocked(rotateSecret).mockResolvedValue({ webhookSecret: 's', former_until: 6 } as never);
});

describe('a change of a user', () => {
  test.each([[{ enabled: false }], [{ rate_limit: 0 }], [{ enabled: true, rate_limit: 9 }]])(
    '%j has the given fields only',
    async (change) => {
      expect(await changeUser(admin, 7, change)).toBe(shown);
      expect(vi.mocked(changeAccount).mock.calls).toStrictEqual([[7, change]]);
      expect(log.info).toHaveBeenCalledExactlyOnceWith('user changed', {
        admin: 1,
        user: 7,
        enabled: undefined,
        rate_limit: undefined,
        ...change,
      });
    },
  );

  test('of the permissions is logged as a text', async () => {
    const permissions = ['serp', 'keyword'] as const;
    await changeUser(admin, 7, { permissions: [...permissions] } as never);

    expect(changeAccount).toHaveBeenCalledExactlyOnceWith(7, { permissions });
    expect(log.info).toHaveBeenCalledExactlyOnceWith('user changed', {
      admin: 1,
      user: 7,
      permissions: 'serp keyword',
    });
  });

  test('of nothing writes nothing', async () => {
    expect(await changeUser(admin, 7, {})).toBe(shown);
    expect(changeAccount).not.toHaveBeenCalled();
    expect(log.info).not.toHaveBeenCalled();
  });

  test('who is deleted meanwhile is refused', async () => {
    vi.mocked(changeAccount).mockResolvedValue(false as never);
    await expect(changeUser(admin, 7, { enabled: true })).rejects.toThrow(
      expect.objectContaining({ statusCode: 404, detail: 'There is no user 7' }),
    );
  });
});

test.each([
  ['a change', () => changeUser(admin, 7, { enabled: false })],
  ['a new key', () => rotateKeyOf(admin, 7, { lost: false })],
  ['a new secret', () => rotateSecretOf(admin, 7, { lost: false })],
])('%s of an admin is refused', async (_, call) => {
  vi.mocked(readAccount).mockResolvedValue({ ...user, permissions: ['serp', 'admin'] } as never);

  await expect(call()).rejects.toThrow(
    expect.objectContaining({
      statusCode: 409,
      detail: 'User 7 is an admin. Only the operator can change it, with npm run user',
    }),
  );
  for (const mock of [changeAccount, rotateKey, rotateSecret]) expect(mock).not.toHaveBeenCalled();
});

describe.each([
  ['key', rotateKeyOf, rotateKey, { api_key: 'k', former_until: 5 }],
  ['secret', rotateSecretOf, rotateSecret, { secret: 's', former_until: 6 }],
] as const)('a new %s', (noun, rotate, rotated, answer) => {
  test.each([
    [{}, {}],
    [{ grace: 0 }, { grace: 0 }],
    [{ lost: true }, { lost: true }],
    [{ grace: 5, lost: false }, { grace: 5 }],
  ])('with %j is made with %j', async (query, rotation) => {
    expect(await rotate(admin, 7, query as never)).toEqual(answer);
    expect(vi.mocked(rotated).mock.calls).toStrictEqual([[7, rotation]]);
    expect(log.info).toHaveBeenCalledExactlyOnceWith('user changed', {
      admin: 1,
      user: 7,
      [noun]: 'rotated',
    });
  });

  test('with a grace for a lost one is refused', async () => {
    await expect(rotate(admin, 7, { grace: 5, lost: true } as never)).rejects.toThrow(
      expect.objectContaining({
        statusCode: 422,
        detail: [
          { loc: ['query', 'grace'], type: 'value_error', msg: 'Value error, give either grace or lost' },
        ],
      }),
    );
    expect(rotated).not.toHaveBeenCalled();
  });
});

test('users are listed page by page', async () => {
  vi.mocked(viewAccount).mockImplementation(((account: Account, now: number) => ({
    id: account.id,
    now,
  })) as never);
  vi.mocked(readAccountPage).mockResolvedValueOnce({ accounts: [user], last: 7 } as never);
  const first = await listUsers(admin, { per_page: 1, cursor: '' }, 1000);
  expect(first).toEqual({ data: [{ id: 7, now: 1000 }], cursor: expect.any(String) });

  vi.mocked(readAccountPage).mockResolvedValueOnce({ accounts: [] } as never);
  expect(await listUsers(admin, { per_page: 1, cursor: first.cursor ?? '' }, 1000)).toEqual({
    data: [],
    cursor: null,
  });
  expect(vi.mocked(readAccountPage).mock.calls).toEqual([
    [1, undefined],
    [1, 7],
  ]);
});

test('a user is shown with the key that is known, or a masked one', () => {
  const account = {
    id: 7,
    email: 'e',
    name: 'n',
    ttl: 0,
    enabled: true,
    signing_key: 'x',
  } as unknown as Account;

  expect(viewUser(account, 'k')).toEqual({
    id: 7,
    api_key: 'k',
    email: 'e',
    name: 'n',
    ttl: 0,
    enabled: true,
  });
  expect(viewUser(account, null).api_key).toBe(`serp_${'*'.repeat(46)}`);
});

test('a new user is shown with the key, and logged', async () => {
  vi.mocked(createAccount).mockResolvedValue({ account: user, apiKey: 'k' } as never);

  expect(await createUser(admin, { name: 'n', email: 'e' } as never)).toMatchObject({ id: 7, api_key: 'k' });
  expect(createAccount).toHaveBeenCalledExactlyOnceWith({ name: 'n', email: 'e' });
  expect(log.info).toHaveBeenCalledExactlyOnceWith('user created', { admin: 1, user: 7 });
});

describe('the webhook secret', () => {
  test.each([
    [['new', 'old'], 2000, { secret: 'new', former_secret: 'old', former_until: 2000 }],
    [['new', 'old'], 0, { secret: 'new', former_secret: 'old', former_until: null }],
    [['new', 'old'], 1000, { secret: 'new', former_secret: null, former_until: null }],
    [['new'], 0, { secret: 'new', former_secret: null, former_until: null }],
  ])('of %j until %i is %j', async (webhook_secrets, former_secret_until, view) => {
    const account = { ...user, webhook_secrets, former_secret_until };
    vi.mocked(readAccount).mockResolvedValue(account as never);
    vi.mocked(rotateSecret).mockResolvedValue({ account } as never);

    expect(await showWebhookSecret(user, 1000)).toEqual(view);
    expect(await rotateWebhookSecret(user, 60, 1000)).toEqual(view);
    expect(rotateSecret).toHaveBeenCalledExactlyOnceWith(7, { grace: 60 }, 1000);
  });
});
