/** Webhooks in the form of DataForSEO, with real stores and receivers. */
import { Webhook } from 'standardwebhooks';
import { beforeEach, expect, test } from 'vitest';
import type { DeliveryKey } from '../../../lib/model/workflow.ts';
import type { SerpRow } from '../../../lib/store/task-row.ts';
import { deliver, given, receiver, rowOf, secrets } from './given.ts';

const { listReady } = await import('../../../lib/store/ready.ts');
const { parkDelivery } = await import('../../../lib/postback/park-delivery.ts');
const { readParked } = await import('../../../lib/store/parked-deliveries.ts');
const { resendDelivery } = await import('../../../lib/postback/resend.ts');
const { readTaskRow } = await import('../../../lib/store/tasks.ts');
const { taskIdOf } = await import('../../../lib/compat/dataforseo/task-id.ts');

const page = { page: 1, url: 'https://www.google.com/search?q=coffee', status: 'parsed', retry_count: 0 };

let template: string;
beforeEach(() => {
  template = `${receiver.url}/$id?tag=$tag&other=$other`;
});

const givenDelivery = (fields: Partial<SerpRow>): Promise<DeliveryKey> =>
  given.delivery({
    form: 'dataforseo',
    post_id: 'a b&c',
    postback_url: template,
    pages: [{ ...page, html: '' }] as SerpRow['pages'],
    ...fields,
  });

const firstRequest = () => {
  const [first] = receiver.received;
  if (!first) throw new Error('There was no request');
  return first;
};

const pathOf = ({ id }: DeliveryKey): string => `/hook/${taskIdOf(id)}?tag=a%20b%26c&other=$other`;

test('a pingback is a signed GET without a body, at the address with the id and the tag', async () => {
  const key = await givenDelivery({ form_webhook: 'pingback' });

  await deliver(key);

  const { headers, ...request } = firstRequest();
  expect(request).toEqual({ method: 'GET', path: pathOf(key), body: '' });
  expect(headers).not.toHaveProperty('content-type');
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures = '' } = headers;
  const sign = (secret: string) => new Webhook(secret).sign(String(id), new Date(Number(time) * 1000), '');
  expect(String(signatures).split(' ')).toEqual(secrets.map(sign));
  expect(await rowOf(key)).toMatchObject({ delivery_state: 'delivered' });
});

test.each(['regular', 'advanced', 'html'] as const)(
  'a postback has the result as %s, in gzip',
  async (form) => {
    const key = await givenDelivery({ form_webhook: form, status: 'error', error_message: 'captcha: x' });

    await deliver(key);

    const { headers, body, ...request } = firstRequest();
    expect(request).toEqual({ method: 'POST', path: pathOf(key) });
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'content-encoding': 'gzip' });
    const payload = new Webhook(secrets[0] ?? '').verify(body, headers as Record<string, string>);
    expect(payload).toMatchObject({
      status_code: 20000,
      tasks_error: 1,
      tasks: [
        {
          id: taskIdOf(key.id),
          // A refused page is an error, and no empty list.
          status_code: 40103,
          status_message: 'Task execution failed. captcha: x',
          path: ['v3', 'serp', 'google', 'organic', 'task_get', form, taskIdOf(key.id)],
          data: { function: 'task_get', tag: 'a b&c', postback_url: template, postback_data: form },
          result: null,
        },
      ],
    });
  },
);

test('the postback of a task of keyword data says why there are no figures', async () => {
  const keywords = { kind: 'ideas', keywords: ['coffee'], location_code: 2840, language_code: '' };
  const key = await givenDelivery({
    ...keywords,
    tag: 'a b&c',
    form_webhook: 'regular',
    status: 'error',
    error_message: 'quota: x',
  } as never);

  await deliver(key);

  const { method, path, headers, body } = firstRequest();
  expect([method, path, headers['content-encoding']]).toEqual(['POST', pathOf(key), 'gzip']);
  const id = taskIdOf(key.id);
  expect(JSON.parse(body)).toMatchObject({
    status_code: 20000,
    tasks: [
      {
        id,
        status_code: 40103,
        status_message: 'Task execution failed. quota: x',
        path: ['v3', 'keywords_data', 'google_ads', 'keywords_for_keywords', 'task_get', id],
        data: { se: 'google_ads', keywords: ['coffee'], tag: 'a b&c', postback_url: template },
        result: null,
      },
    ],
  });
  expect(await readTaskRow(key.user_id, key.id)).toMatchObject({ delivery_state: 'delivered' });
});

test('a postback that no attempt delivers is parked in its form, and its task is ready', async () => {
  const key = await givenDelivery({ form_webhook: 'advanced', delivery_attempt: 5 });
  const asked = { kind: 'serp', form: 'dataforseo', limit: 100, after: 0 } as const;
  const ready = () => listReady(1, asked, ({ id }) => id === key.id);
  expect(await ready()).toEqual([]);

  expect(await parkDelivery({ ...key, attempt: 6 })).toMatchObject({ outcome: 'parked' });

  expect(await ready()).toMatchObject([{ id: key.id }]);
  const parked = await readParked(key);
  if (!parked) throw new Error('The delivery is not parked');
  expect(parked).toMatchObject({ form_webhook: 'advanced', url: expect.stringContaining(pathOf(key)) });
  expect(await resendDelivery(parked)).toMatchObject({ ok: true });
  expect(receiver.received).toMatchObject([
    { method: 'POST', path: pathOf(key), headers: { 'content-encoding': 'gzip' } },
  ]);
});
