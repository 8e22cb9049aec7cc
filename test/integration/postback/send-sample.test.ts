/** Sample webhooks: what the receiver gets, and what the user is told of its answer. */
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import type { AlertFormat } from '../../../lib/model/chat-message.ts';
import { webhookTypes } from '../../../lib/model/webhook-type.ts';
import { receiver, secrets } from './given.ts';

const { sendSample } = await import('../../../lib/postback/send-sample.ts');
const { readAccount } = await import('../../../lib/store/users.ts');

const send = async (
  type: (typeof webhookTypes)[number],
  postback_url = receiver.url,
  format: AlertFormat = 'standard',
) => {
  const account = await readAccount(1);
  if (!account) throw new Error('There is no user 1');
  return sendSample(account, { postback_url, type, format });
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

test('a receiver that is not there is no failure of the request', async () => {
  const { url } = receiver;
  await receiver.stop();

  expect(await send('alert', url)).toMatchObject({
    delivered: false,
    status: 0,
    error: expect.stringContaining('unreachable: '),
  });
});
