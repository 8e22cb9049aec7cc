/** The addresses of a rule of alerts: which are taken, and what is said of the others. */
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { type Service, startService } from './service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
afterEach(() => {
  vi.unstubAllEnvs();
});

const create = async (alerts: object) => {
  const body = JSON.stringify({ name: 'Shop', domain: 'example.com', alerts });
  const answer = await service.call({ path: '/api/v1/projects', body });
  return { status: answer.status, json: JSON.parse(answer.body) };
};

const allowMail = (): void => {
  vi.stubEnv('MAIL_FROM', 'reports@example.com');
  vi.stubEnv('MAIL_TO_DOMAINS', 'example.com');
};

test('without a sender, each address is refused', async () => {
  const email = ['a@example.com', 'b@example.com'];
  const { status, json } = await create({ email, moved_by: 1 });

  expect(status).toBe(422);
  expect(json.detail).toEqual(
    email.map((_, n) => ({
      loc: ['body', 'alerts', 'email', n],
      type: 'value_error',
      msg: 'Value error, the service sends no mail: its operator has not set MAIL_FROM',
    })),
  );
});

test('a rule has addresses beside a webhook or in its place, at allowed domains only', async () => {
  allowMail();
  const alone = await create({ email: ['a@example.com'], weekly_summary: true });
  expect([alone.status, alone.json.alerts]).toEqual([
    200,
    expect.objectContaining({ email: ['a@example.com'], weekly_summary: true, postback_url: null }),
  ]);
  const project_id = alone.json.project_id;

  const path = `/api/v1/projects/${project_id}`;
  const body = JSON.stringify({ alerts: { email: ['a@example.com', 'b@evil.example'], moved_by: 1 } });
  const changed = await service.call({ method: 'PATCH', path, body });
  expect(changed.status).toBe(422);
  expect(JSON.parse(changed.body).detail).toMatchObject([{ loc: ['body', 'alerts', 'email', 1] }]);
  expect(JSON.parse((await service.call({ method: 'GET', path })).body).alerts).toEqual(alone.json.alerts);
});

test('a domain is kept in the form of the DNS, as SES takes it', async () => {
  allowMail();
  vi.stubEnv('MAIL_TO_DOMAINS', 'exämple.com,xn--e1afmkfd.xn--p1ai');
  const email = ['a@exämple.com', 'b@xn--exmple-cua.com', 'c@пример.рф'];
  const { status, json } = await create({ email, moved_by: 1 });

  expect([status, json.alerts?.email]).toEqual([
    200,
    ['a@xn--exmple-cua.com', 'b@xn--exmple-cua.com', 'c@xn--e1afmkfd.xn--p1ai'],
  ]);
});

test.each([
  [{ type: 'alert' }, 'postback_url'],
  [{ email: 'a@evil.example', type: 'alert' }, 'email'],
  [{ email: 'a@example.com' }, 'email'],
  [{ email: 'a@example.com', type: 'alert', format: 'slack' }, 'email'],
  [{ email: 'a@example.com', type: 'alert', postback_url: 'https://93.184.216.34/hook' }, 'email'],
])('no sample is sent for %j', async (asked, field) => {
  allowMail();
  const answer = await service.call({ path: '/api/v1/webhooks/test', body: JSON.stringify(asked) });

  expect(answer.status).toBe(422);
  expect(JSON.parse(answer.body).detail).toMatchObject([{ loc: ['body', field] }]);
});

test.each<[object, (string | number)[]]>([
  [{ moved_by: 1 }, ['body', 'alerts']],
  [{ postback_url: null, email: [], moved_by: 1 }, ['body', 'alerts']],
  [{ postback_url: 'https://93.184.216.34/hook', weekly_summary: true }, ['body', 'alerts']],
  [{ email: ['a@example.com'] }, ['body', 'alerts']],
  [{ email: 'a@example.com', moved_by: 1 }, ['body', 'alerts', 'email']],
  [{ email: Array(4).fill('a@example.com'), moved_by: 1 }, ['body', 'alerts', 'email']],
  ...[
    'a',
    '@example.com',
    'a@example',
    'A <a@example.com>',
    'a@example.com,b@example.com',
    'a@example.com\r\nBcc: b@example.com',
    'ä@example.com',
    'a@ex%61mple.com',
    'a@exämple',
    'a@127.0.0.1',
    'a@-x.example.com',
    'a@xn--.com',
    'a@example.com\0',
    '\ud800@example.com',
    `${'a'.repeat(255)}@example.com`,
    7,
    null,
  ].map(
    (address) =>
      [{ email: [address], moved_by: 1 }, ['body', 'alerts', 'email', 0]] as [object, (string | number)[]],
  ),
])('%j is refused', async (alerts, loc) => {
  allowMail();
  const { status, json } = await create(alerts);

  expect(status).toBe(422);
  expect(json.detail.map((each: { loc: unknown }) => each.loc)).toEqual([loc]);
});
