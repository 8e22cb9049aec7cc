/** What sends a delivery: a webhook to its URL, a mail to its address. The network is replaced. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Account } from '../../../lib/model/user.ts';
import { sendMail } from '../../../lib/net/mail.ts';
import { postJson } from '../../../lib/net/post.ts';
import { readyToSend } from '../../../lib/postback/send-delivery.ts';

vi.mock(import('../../../lib/net/mail.ts'), () => ({ sendMail: vi.fn() }));
vi.mock(import('../../../lib/net/post.ts'), async (original) => ({
  ...(await original()),
  postJson: vi.fn(),
}));

const account = {
  id: 1,
  email: '',
  webhook_secrets: ['whsec_c2VjcmV0'],
  former_secret_until: 0,
} as never as Account;
const about = { kind: 'alert', delivery: 'msg_1_2_0', timestamp: 5 } as const;
const mail = { subject: 's', text: 't', html: 'h' };

beforeEach(() => {
  vi.resetAllMocks();
  vi.stubEnv('MAIL_FROM', 'reports@example.com');
  vi.stubEnv('MAIL_TO_DOMAINS', 'example.com');
});
afterEach(() => {
  vi.unstubAllEnvs();
});

test('a mail goes to its address, and not before it is sent', async () => {
  vi.mocked(sendMail).mockResolvedValue({ ok: true, status: 200 });
  const send = await readyToSend('mailto:a@example.com', mail, account, about);

  expect(sendMail).not.toHaveBeenCalled();
  expect(await send()).toEqual({ ok: true, status: 200 });
  expect(sendMail).toHaveBeenCalledExactlyOnceWith({ ...mail, to: 'a@example.com', delivery: 'msg_1_2_0' });
  expect(postJson).not.toHaveBeenCalled();
});

test('a mail to an address that the operator allows no longer is a failed attempt', async () => {
  vi.stubEnv('MAIL_TO_DOMAINS', 'other.example');
  const send = await readyToSend('mailto:a@example.com', mail, account, about);

  expect(await send()).toMatchObject({ ok: false, reason: expect.stringContaining('MAIL_TO_DOMAINS') });
  expect(sendMail).not.toHaveBeenCalled();
});

test('a webhook goes to its URL, signed', async () => {
  vi.mocked(postJson).mockResolvedValue({ ok: true, status: 204 });
  const send = await readyToSend('https://receiver.example/', { type: 'alert' } as never, account, about);

  expect(await send()).toEqual({ ok: true, status: 204 });
  expect(vi.mocked(postJson).mock.calls[0]?.[0]).toMatchObject({
    url: 'https://receiver.example/',
    headers: { 'webhook-id': 'msg_1_2_0', 'webhook-type': 'alert' },
  });
  expect(sendMail).not.toHaveBeenCalled();
});
