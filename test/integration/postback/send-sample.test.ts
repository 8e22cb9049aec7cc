/** Sample webhooks: what the receiver gets, and what the user is told of its answer. */
import { Webhook } from 'standardwebhooks';
import { expect, test, vi } from 'vitest';
import type { AlertFormat } from '../../../lib/model/chat-message.ts';
import { webhookTypes } from '../../../lib/model/webhook-type.ts';
import { receiver, secrets } from './given.ts';

vi.mock(import('../../../lib/net/mail.ts'), () => ({
  sendMail: vi.fn(async () => ({ ok: true as const, status: 200 })),
}));
const { sendMail } = await import('../../../lib/net/mail.ts');
const { sendSample } = await import('../../../lib/postback/send-sample.ts');
const { readAccount } = await import('../../../lib/store/users.ts');

const send = async (
  type: (typeof webhookTypes)[number],
  postback_url = receiver.url,
  format: AlertFormat = 'standard',
) => {
  const account = await readAccount(1);
  if (!account) throw new Error('There is no user 1');
  return sendSample(account, { postback_url, email: null, type, format });
};

test.each(webhookTypes)('a sample of %s is signed with all secrets of the user', async (type) => {
  const result = await send(type);

  expect(result).toEqual({
    webhook_id: expect.stringMatching(/^msg_test_1_[0-9a-f]{16}$/),
    type,
    delivered: true,
    status: expect.any(Number),
    milliseconds: expect.any(Number),
    error: null,
  });
  const [{ headers, body } = { headers: {}, body: '' }] = receiver.received;
  expect(headers).toMatchObject({
    'webhook-id': result.webhook_id,
    'webhook-type': type,
    'x-webhook-test': 'true',
    'content-type': 'application/json',
  });
  for (const secret of secrets) {
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toBeTruthy();
  }
});

test.each([
  ['slack', { text: 'Coffee shop: 1 change on 2026-11-22', blocks: expect.any(Array) }],
  ['teams', { type: 'message', attachments: expect.any(Array) }],
] as const)('a sample of an alert may be a message for %s', async (format, message) => {
  receiver.received.length = 0;
  expect(await send('alert', receiver.url, format)).toMatchObject({ type: 'alert', delivered: true });

  expect(JSON.parse(receiver.received[0]?.body ?? '')).toEqual(message);
});

test('a sample of an alert is sent as mail, ten times in ten minutes', async () => {
  vi.stubEnv('MAIL_FROM', 'reports@example.com');
  vi.stubEnv('MAIL_TO_DOMAINS', 'example.com');
  const account = await readAccount(1);
  if (!account) throw new Error('There is no user 1');
  const mail = (email: string) =>
    sendSample(account, { postback_url: null, email, type: 'alert', format: 'standard' }, 1_795_996_800);
  for (let n = 0; n < 10; n++) {
    expect(await mail('a@example.com')).toMatchObject({ delivered: true, status: 200, error: null });
  }
  await expect(mail('a@example.com')).rejects.toMatchObject({ detail: expect.stringMatching(/^At most 10/) });
  await expect(mail('a@other.example')).rejects.toMatchObject({ detail: [{ loc: ['body', 'email'] }] });
  vi.unstubAllEnvs();

  expect(vi.mocked(sendMail).mock.calls).toHaveLength(10);
  expect(vi.mocked(sendMail).mock.calls[0]?.[0]).toMatchObject({
    to: 'a@example.com',
    subject: 'Sample: Coffee shop: 1 change on 2026-11-22',
    delivery: expect.stringMatching(/^msg_test_1_/),
    html: expect.not.stringContaining('<a '),
  });
});

test('a receiver that is not there is no failure of the request', async () => {
  const { url } = receiver;
  await receiver.stop();

  expect(await send('alert', url)).toMatchObject({
    delivered: false,
    status: 0,
    error: expect.stringContaining('unreachable: '),
  });
});
