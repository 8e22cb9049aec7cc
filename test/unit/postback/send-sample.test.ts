/**
 * Samples of webhooks and of mails: what is sent, and what is counted. The counters and the network are
 * replaced.
 */
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import samples from '../../../events/webhooks.json' with { type: 'json' };
import type { Account } from '../../../lib/model/user.ts';
import type { WebhookTest } from '../../../lib/model/webhook-test.ts';
import { webhookTypes } from '../../../lib/model/webhook-type.ts';
import { sendMail } from '../../../lib/net/mail.ts';
import { postJson } from '../../../lib/net/post.ts';
import { sendSample } from '../../../lib/postback/send-sample.ts';
import { countInWindowBelow } from '../../../lib/store/limits.ts';

vi.mock(import('../../../lib/access/wait-slot.ts'), () => ({
  whileWaiting: <Output>(_: unknown, run: () => Promise<Output>) => run(),
}));
vi.mock(import('../../../lib/net/mail.ts'), () => ({ sendMail: vi.fn() }));
vi.mock(import('../../../lib/net/post.ts'), () => ({ postJson: vi.fn() }));
vi.mock(import('../../../lib/store/limits.ts'), () => ({ countInWindowBelow: vi.fn() }));

const account = {
  id: 7,
  webhook_secrets: ['whsec_c2VjcmV0'],
  former_secret_until: 0,
} as never as Account;

const now = 1_795_996_800;

const send = (test: Partial<WebhookTest>) =>
  sendSample(
    account,
    { postback_url: null, email: null, type: 'alert', format: 'standard', ...test } as WebhookTest,
    now + 60,
  );

beforeEach(() => {
  vi.resetAllMocks();
  vi.stubEnv('SEARCH_SOURCE', 'live');
  vi.stubEnv('MAIL_FROM', 'reports@example.com');
  vi.stubEnv('MAIL_TO_DOMAINS', 'example.com');
  vi.mocked(postJson).mockResolvedValue({ ok: true, status: 204 });
  vi.mocked(sendMail).mockResolvedValue({ ok: true, status: 200 });
  vi.mocked(countInWindowBelow).mockResolvedValue(true);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

describe('a sample of a webhook', () => {
  const postback_url = 'https://receiver.example/';

  test.each(webhookTypes)('of the type %s is the one of the document, signed', async (type) => {
    const time = vi.spyOn(performance, 'now').mockReturnValueOnce(5000).mockReturnValueOnce(5040);
    const result = await send({ postback_url, type });
    time.mockRestore();

    expect(result).toEqual({
      webhook_id: expect.stringMatching(/^msg_test_7_[0-9a-f]{16}$/),
      type,
      delivered: true,
      status: 204,
      milliseconds: 40,
      error: null,
    });
    const [{ url, headers, body } = { url: '', headers: {}, body: '' }] =
      vi.mocked(postJson).mock.calls[0] ?? [];
    expect(url).toBe(postback_url);
    expect(headers).toEqual({
      'content-type': 'application/json',
      'webhook-type': type,
      'x-webhook-test': 'true',
      'webhook-id': result.webhook_id,
      'webhook-timestamp': String(now + 60),
      'webhook-signature': expect.stringMatching(/^v1,/),
    });
    expect(JSON.parse(String(body))).toEqual((samples as Record<string, unknown>)[type]);
    expect(sendMail).not.toHaveBeenCalled();
    expect(countInWindowBelow).not.toHaveBeenCalled();
  });

  test('of an alert has the form that is asked for', async () => {
    await send({ postback_url, format: 'slack' });

    expect(JSON.parse(String(vi.mocked(postJson).mock.calls[0]?.[0].body))).toEqual({
      text: 'Coffee shop: 1 change on 2026-11-22',
      blocks: expect.any(Array),
    });
  });

  test('of a sandbox says so', async () => {
    vi.stubEnv('SEARCH_SOURCE', 'sandbox');
    await send({ postback_url });

    expect(vi.mocked(postJson).mock.calls[0]?.[0].headers).toMatchObject({ 'x-search-source': 'sandbox' });
  });

  test('that does not arrive is no failure of the request', async () => {
    vi.mocked(postJson).mockResolvedValue({ ok: false, reason: 'unreachable: no host' });

    expect(await send({ postback_url })).toMatchObject({
      delivered: false,
      status: 0,
      error: 'unreachable: no host',
    });
  });
});

describe('a sample of a mail', () => {
  const receiver = createHash('sha256').update('a@example.com').digest('hex');
  const counters = [
    [10, 'sample-mails#7', now + 600],
    [20, `sample-mails-to#${receiver}`, now + 86_400],
  ] as const;

  test('is counted for the user and for the person who gets it', async () => {
    const result = await send({ email: 'A+1@example.com' });

    expect(result).toMatchObject({ delivered: true, status: 200, error: null });
    expect(vi.mocked(countInWindowBelow).mock.calls).toEqual(counters);
    expect(sendMail).toHaveBeenCalledExactlyOnceWith({
      subject: 'Sample: Coffee shop: 1 change on 2026-11-22',
      text: expect.stringContaining('User 7 of this service asked for this sample'),
      html: expect.any(String),
      to: 'A+1@example.com',
      delivery: result.webhook_id,
    });
    expect(postJson).not.toHaveBeenCalled();
  });

  test.each([
    [0, 'At most 10 samples are sent as mail in 10 minutes', '540'],
    [1, 'At most 20 samples are sent as mail to one address in a day', '86340'],
  ])('that counter %i does not allow is not sent', async (refusing, detail, seconds) => {
    vi.mocked(countInWindowBelow).mockImplementation(async (_, name) => name !== counters[refusing]?.[1]);

    await expect(send({ email: 'a@example.com' })).rejects.toMatchObject({
      statusCode: 429,
      detail,
      headers: { 'Retry-After': seconds },
    });
    expect(sendMail).not.toHaveBeenCalled();
  });

  test('to an address that gets none is not sent, and not counted', async () => {
    await expect(send({ email: 'a@other.example' })).rejects.toMatchObject({
      statusCode: 422,
      detail: [
        {
          loc: ['body', 'email'],
          type: 'value_error',
          msg: expect.stringMatching(/^Value error, mail goes to the address of the user/),
        },
      ],
    });
    expect(countInWindowBelow).not.toHaveBeenCalled();
    expect(sendMail).not.toHaveBeenCalled();
  });
});
