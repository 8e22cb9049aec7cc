/**
 * Which payload each kind of delivery gets, and its headers. The stores and the layouts of the payloads are
 * replaced.
 */
import { gunzipSync } from 'node:zlib';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import samples from '../../../events/webhooks.json' with { type: 'json' };
import { dataforseoPayload } from '../../../lib/compat/dataforseo/webhook.ts';
import { AlertPayload } from '../../../lib/model/alert.ts';
import { noCounts } from '../../../lib/model/batch.ts';
import type { Account } from '../../../lib/model/user.ts';
import { alertMessage } from '../../../lib/postback/chat-message.ts';
import {
  composePayload,
  formWebhookOf,
  signedPost,
  storedPage,
  webhookAddress,
} from '../../../lib/postback/compose.ts';
import { alertMail, summaryMail } from '../../../lib/postback/mail-message.ts';
import { isSandbox, signedHeaders } from '../../../lib/postback/sign.ts';
import { readAlert } from '../../../lib/store/read-alert.ts';
import { readIdeasResult, readResult } from '../../../lib/store/results.ts';
import type { ReportedRow } from '../../../lib/store/task-row.ts';
import { readAccount } from '../../../lib/store/users.ts';

vi.mock(import('../../../lib/store/users.ts'), async (original) => ({
  ...(await original()),
  readAccount: vi.fn(),
}));
vi.mock(import('../../../lib/store/results.ts'), async (original) => ({
  ...(await original()),
  readResult: vi.fn(),
  readIdeasResult: vi.fn(),
}));
vi.mock(import('../../../lib/compat/dataforseo/webhook.ts'), () => ({ dataforseoPayload: vi.fn() }));
vi.mock(import('../../../lib/store/read-alert.ts'), () => ({ readAlert: vi.fn() }));
vi.mock(import('../../../lib/model/delivery.ts'), async (original) => ({
  ...(await original()),
  Payload: v.any() as never,
  // It shows that it was used.
  AnyPayload: v.pipe(
    v.looseObject({}),
    v.transform((payload) => ({ ...payload, isAny: true })),
  ) as never,
}));
vi.mock(import('../../../lib/keyword/view.ts'), async (original) => ({
  ...(await original()),
  keywordTaskOf: vi.fn((...of: unknown[]) => ({ keywordTask: of })) as never,
  ideasTaskOf: vi.fn((...of: unknown[]) => ({ ideasTask: of })) as never,
}));
vi.mock(import('../../../lib/crawl/view.ts'), async (original) => ({
  ...(await original()),
  v1TaskOf: vi.fn((...of: unknown[]) => ({ v1Task: of })) as never,
  batchOf: vi.fn((...of: unknown[]) => ({ batch: of })) as never,
}));
vi.mock(import('../../../lib/postback/v2-payload.ts'), () => ({
  v2Payload: vi.fn((...of: unknown[]) => ({ v2Task: of })) as never,
}));

const account = {
  id: 1,
  webhook_secrets: [`whsec_${Buffer.alloc(24, 1).toString('base64')}`],
  former_secret_until: 0,
} as unknown as Account;

const rowOf = (fields: object): ReportedRow =>
  ({ user_id: 1, id: 2, base_url: 'https://here.example', ...fields }) as unknown as ReportedRow;

beforeEach(() => {
  vi.mocked(readAccount).mockResolvedValue(account);
  vi.mocked(readResult).mockResolvedValue('stored result' as never);
  vi.mocked(readIdeasResult).mockResolvedValue('stored ideas' as never);
  vi.mocked(readAlert).mockReset();
});
afterEach(() => {
  vi.unstubAllEnvs();
});

describe('the payload', () => {
  const keyword = rowOf({ kind: 'keyword' });
  const ideas = rowOf({ kind: 'ideas' });
  const v1 = rowOf({ kind: 'serp', api: 'v1', pages: [] });
  const v2 = rowOf({ kind: 'serp', pages: [] });
  const batch = rowOf({ kind: 'batch' });
  const counts = { ...noCounts, success: 3 };
  const counted = rowOf({ kind: 'batch', counts });

  test.each<[string, ReportedRow, object]>([
    ['a task of volumes', keyword, { keywordTask: [keyword, 1000] }],
    ['a task of ideas', ideas, { ideasTask: [ideas, 'stored ideas', 1000] }],
    ['a search of version 1', v1, { v1Task: [v1, 'stored result', 1000] }],
    ['a search of version 2', v2, { v2Task: [v2, 'stored result', ''] }],
    ['a batch without counts', batch, { type: 'batch.finished', batch: [batch, noCounts] }],
    ['a batch', counted, { type: 'batch.finished', batch: [counted, counts] }],
  ])('of %s', async (_, row, payload) => {
    expect(await composePayload(row, 1000)).toEqual({ payload, account });
  });

  test('of an alert is the stored one', async () => {
    vi.mocked(readAlert).mockResolvedValue({ payload: { alert: 1 } } as never);

    expect(await composePayload(rowOf({ kind: 'alert', object: 'alerts/1' }), 1000)).toEqual({
      payload: { alert: 1 },
      account,
    });
    expect(readAlert).toHaveBeenCalledExactlyOnceWith('alerts/1');
  });

  test.each([undefined, { payload: null }])('of an alert that is %j cannot be made', async (stored) => {
    vi.mocked(readAlert).mockResolvedValue(stored as never);

    await expect(composePayload(rowOf({ kind: 'alert' }), 1000)).rejects.toThrow(
      'The payload of the alert is gone',
    );
  });

  const base = 'https://here.example';
  const alert = v.parse(AlertPayload, samples.alert);
  const summary = { project_id: 7, project_name: 'Shop', day: '2026-11-23', markdown: '# Shop' };

  test.each([
    ['slack', alertMessage(alert, 'slack')],
    ['teams', alertMessage(alert, 'teams')],
    ['mail', alertMail(alert, base)],
    ['summary', summaryMail(summary, base)],
  ])('of an alert in the form %s', async (format, payload) => {
    vi.mocked(readAlert).mockResolvedValue(
      (format === 'summary' ? { summary } : { payload: alert }) as never,
    );

    expect(await composePayload(rowOf({ kind: 'alert', format }), 1000)).toEqual({
      payload: { ...payload, isAny: true },
      account,
    });
  });

  test('of a summary that is gone cannot be made', async () => {
    vi.mocked(readAlert).mockResolvedValue({ payload: alert } as never);

    await expect(composePayload(rowOf({ kind: 'alert', format: 'summary' }), 1000)).rejects.toThrow(
      'The summary of the week is gone',
    );
  });

  test('of a user who is deleted cannot be made', async () => {
    vi.mocked(readAccount).mockResolvedValue(undefined);

    await expect(composePayload(batch, 1000)).rejects.toThrow('The user of this delivery no longer exists');
  });
});

describe('in the form of another service', () => {
  const form = {
    form_webhook: 'advanced',
    postback_url: 'https://receiver.example/?tag=$tag',
    post_id: 'a b',
  };
  const search = rowOf({ kind: 'serp', pages: [], ...form });
  const ideas = rowOf({ kind: 'ideas', tag: 'c', ...form });

  test.each([
    ['a search', search, 'https://receiver.example/?tag=a%20b'],
    ['ideas', ideas, 'https://receiver.example/?tag=c'],
  ])('%s have their own payload and address', async (_, row, address) => {
    vi.mocked(dataforseoPayload).mockResolvedValue({ tasks: [] } as never);

    expect(await composePayload(row, 1000)).toEqual({ payload: { tasks: [], isAny: true }, account });
    expect(dataforseoPayload).toHaveBeenCalledExactlyOnceWith(row, account, 1000);
    expect(formWebhookOf(row)).toBe('advanced');
    expect(webhookAddress(row as never)).toBe(address);
    vi.mocked(dataforseoPayload).mockReset();
  });

  test.each([
    ['a task without such a webhook', { kind: 'ideas' }],
    ['a batch', { kind: 'batch', form_webhook: 'advanced' }],
    ['a task of volumes', { kind: 'keyword', form_webhook: 'advanced' }],
    ['a task without an address', { kind: 'ideas', form_webhook: 'advanced', postback_url: null }],
  ])('%s has none', (_, fields) => {
    const row = rowOf({ postback_url: 'https://receiver.example/?tag=$tag', ...fields });

    expect(formWebhookOf(row)).toBeUndefined();
    expect(webhookAddress(row as never)).toBe(row.postback_url);
  });

  const about = { kind: 'serp', delivery: 'msg_1', timestamp: 1000, sandbox: true } as const;
  const signatureOf = (body: string) => signedHeaders(account.webhook_secrets, { ...about, body });

  test('a pingback is a request without a body, which is signed', () => {
    expect(signedPost({ id: 1 } as never, account, { ...about, form_webhook: 'pingback' })).toEqual({
      method: 'GET',
      headers: { 'x-search-source': 'sandbox', ...signatureOf('') },
      body: '',
    });
  });

  test('another one has its payload in gzip, and the text is signed', () => {
    const post = signedPost({ id: 1 } as never, account, { ...about, form_webhook: 'advanced' });

    expect(post).toEqual({
      headers: {
        'content-type': 'application/json',
        'content-encoding': 'gzip',
        'x-search-source': 'sandbox',
        ...signatureOf('{"id":1}'),
      },
      body: expect.any(Buffer),
    });
    expect(gunzipSync(post.body).toString()).toBe('{"id":1}');
  });
});

test.each<[string, object, string]>([
  ['a search with pages', { kind: 'serp', pages: [{ html: 'a' }, { html: 'b' }] }, 'a'],
  ['a search whose page is not stored', { kind: 'serp', pages: [{}] }, ''],
  ['a search without pages', { kind: 'serp', pages: [] }, ''],
  ['a task of volumes', { kind: 'keyword' }, ''],
  ['a batch', { kind: 'batch' }, ''],
])('the stored page of %s', (_, fields, html) => {
  expect(storedPage(rowOf(fields))).toEqual({ base_url: 'https://here.example', html });
});

test.each([
  ['sandbox', true],
  ['live', false],
])('with the source %s, deliveries are from the sandbox: %s', (source, expected) => {
  vi.stubEnv('SEARCH_SOURCE', source);

  expect(isSandbox()).toBe(expected);
});

test.each([
  [true, { 'x-search-source': 'sandbox' }],
  [false, {}],
  [undefined, {}],
])('a delivery with sandbox %s has the headers %j', (sandbox, source) => {
  const { headers, body } = signedPost({ id: 1 } as never, account, {
    kind: 'keyword',
    delivery: 'msg_1',
    timestamp: 1000,
    sandbox,
  });

  expect(body).toBe('{"id":1}');
  expect(headers).toEqual({
    'content-type': 'application/json',
    'webhook-type': 'keyword.volume',
    ...source,
    'webhook-id': 'msg_1',
    'webhook-timestamp': '1000',
    'webhook-signature': expect.stringMatching(/^v1,/),
  });
});
