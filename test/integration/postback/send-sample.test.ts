/** Sample webhooks: what the receiver gets, and what the user is told of its answer. */
import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { mockClient } from 'aws-sdk-client-mock';
import { Webhook } from 'standardwebhooks';
import { expect, test, vi } from 'vitest';
import type { AlertFormat } from '../../../lib/model/chat-message.ts';
import { webhookTypes } from '../../../lib/model/webhook-type.ts';
import { receiver, secrets } from './given.ts';

const { sendSample } = await import('../../../lib/postback/send-sample.ts');
const { readAccount } = await import('../../../lib/store/users.ts');

const ses = mockClient(SESv2Client);

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

test('a sample of an alert is sent as mail: 10 in 10 minutes, and 20 a day to one person', async () => {
  vi.stubEnv('MAIL_FROM', 'reports@example.com');
  vi.stubEnv('MAIL_TO_DOMAINS', 'example.com');
  ses.on(SendEmailCommand).resolves({ $metadata: { httpStatusCode: 200 } });
  const account = await readAccount(1);
  if (!account) throw new Error('There is no user 1');
  const mail = (email: string, seconds: number) =>
    sendSample(
      account,
      { postback_url: null, email, type: 'alert', format: 'standard' },
      1_795_996_800 + seconds,
    );
  const refusal = (text: RegExp, wait: number) => ({
    statusCode: 429,
    detail: expect.stringMatching(text),
    headers: { 'Retry-After': String(wait) },
  });
  for (const seconds of [0, 600]) {
    for (let n = 0; n < 10; n++) {
      const sent = await mail(`${n % 2 ? 'a' : `A+${n}`}@example.com`, seconds);
      expect(sent).toMatchObject({ delivered: true, status: 200, error: null });
    }
    await expect(mail('b@example.com', seconds)).rejects.toMatchObject(
      refusal(/10 samples.* in 10 min/, 600),
    );
  }
  await expect(mail('a@example.com', 1200)).rejects.toMatchObject(refusal(/20 samples.* in a day/, 85_200));
  await expect(mail('b@example.com', 1200)).resolves.toMatchObject({ delivered: true });
  await expect(mail('a@other.example', 0)).rejects.toMatchObject({ detail: [{ loc: ['body', 'email'] }] });
  vi.unstubAllEnvs();

  expect(ses.calls()).toHaveLength(21);
  expect(ses.call(1).args[0].input).toMatchObject({
    Destination: { ToAddresses: ['a@example.com'] },
    Content: {
      Simple: {
        Subject: { Data: 'Sample: Coffee shop: 1 change on 2026-11-22' },
        Body: { Text: { Data: expect.stringContaining('User 1 of this service asked') } },
      },
    },
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
