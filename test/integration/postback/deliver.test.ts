/**
 * Webhook attempts with real stores and receivers: the request, the retries, and parking after the fifth
 * failure.
 */
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { V2Payload } from '../../../lib/model/delivery.ts';
import { deliver, given, logged, receiver, restartReceiver, rowOf, secrets, stores } from './given.ts';

const { sfn } = await import('../../../lib/runtime/aws.ts');
const { clock } = await import('../../../lib/runtime/clock.ts');
const { putHtml } = await import('../../../lib/store/html.ts');
const { deliver: consume } = await import('../../../lib/postback/deliver.ts');
const { deliverAgain } = await import('../../../lib/postback/deliver-again.ts');
const { parkDelivery } = await import('../../../lib/postback/park-delivery.ts');
const { resendDelivery } = await import('../../../lib/postback/resend.ts');
const { readParked } = await import('../../../lib/store/parked-deliveries.ts');
const { signedPost } = await import('../../../lib/postback/compose.ts');
const { createAccount } = await import('../../../lib/access/create-account.ts');
const { rotateSecret } = await import('../../../lib/access/rotate-secret.ts');
const { readAccount } = await import('../../../lib/store/users.ts');
const { openPage } = await import('../../../lib/crawl/open-page.ts');

test('delivers the signed payload once, and the task is no longer due', async () => {
  const key = await given.delivery();

  await deliver(key);

  expect(receiver.received).toHaveLength(1);
  const [{ headers, body } = { headers: {}, body: '' }] = receiver.received;
  for (const secret of secrets) {
    const payload = new Webhook(secret).verify(body, headers as Record<string, string>);
    expect(payload).toMatchObject({
      id: key.id,
      status: 'success',
      result: { organic: [], total_results: 'About 3 results', search_time: 0.2 },
      top_domains: ['a.example'],
      html_url: '',
    });
  }
  expect(headers).toMatchObject({ 'webhook-id': key.delivery, 'content-type': 'application/json' });
  expect(await rowOf(key)).toMatchObject({ delivery_state: 'delivered', postback_retries_count: 0 });
  expect(await rowOf(key)).not.toHaveProperty('unfinished');
  expect(await rowOf(key)).not.toHaveProperty('due_at');
  expect(stores.started).toEqual([]);
  const [{ DeliveryMilliseconds, ...line }] = logged('delivery attempt');
  expect(line).toMatchObject({
    delivery: key.delivery,
    attempt: 1,
    outcome: 'delivered',
    reason: null,
    DeliverySucceeded: 1,
  });
  expect(DeliveryMilliseconds).toBeGreaterThanOrEqual(0);
});

test('signs with the newest secret only, once the grace of the former one has ended', async () => {
  const day = 86_400;
  const { account, webhookSecret: former } = await createAccount({}, clock() - 2 * day);
  const { webhookSecret: newest } = await rotateSecret(account.id, { grace: day }, clock() - 2 * day);
  const payload = { id: 1, status: 'success' } as V2Payload;
  const stored = (await readAccount(account.id))!;
  const signaturesAt = (timestamp: number) =>
    signedPost(payload, stored, { kind: 'serp', delivery: 'msg_1', timestamp }).headers[
      'webhook-signature'
    ]?.split(' ');

  expect(signaturesAt(clock())).toHaveLength(1);
  expect(signaturesAt(clock() - 2 * day)).toHaveLength(2);
  const { headers, body } = signedPost(payload, stored, {
    kind: 'serp',
    delivery: 'msg_1',
    timestamp: clock(),
  });
  expect(new Webhook(newest).verify(body, headers)).toEqual(payload);
  expect(() => new Webhook(former).verify(body, headers)).toThrow();
});

test('during an attempt, the delivery is not due for longer than the attempt may take', async () => {
  const key = await given.delivery();
  const began = clock();
  let meanwhile: unknown;
  receiver.answers.push(async () => {
    meanwhile = await rowOf(key);
    return 200;
  });

  await deliver(key);

  expect(meanwhile).toMatchObject({ delivery_state: 'sending', delivery_attempt: 1 });
  expect(meanwhile).toHaveProperty(
    'due_at',
    expect.toSatisfy((dueAt: number) => dueAt >= began + 25 && dueAt <= clock() + 25),
  );
});

test.each([500, 404, 301, 304])(
  'an answer of %i starts the machine for the second attempt',
  async (status) => {
    const key = await given.delivery();
    receiver.answers.push(status);

    await deliver(key);

    expect(stores.started).toEqual([{ name: `${key.delivery}-2`, input: { ...key, attempt: 2 } }]);
    const row = await rowOf(key);
    expect(row).toMatchObject({ delivery_state: 'pending', delivery_attempt: 1, unfinished: '0' });
    // The delivery is not due for the sweeper while the machine waits for one minute.
    expect(row?.due_at).toBeGreaterThan(clock() + 60);
    expect(logged('delivery attempt')).toMatchObject([
      { outcome: 'failed', reason: `the receiver answered ${status}`, DeliverySucceeded: 0 },
    ]);
  },
);

test('the run for the fifth attempt also has its own name', async () => {
  const key = { ...(await given.delivery({ delivery_attempt: 3 })), attempt: 4 };
  receiver.answers.push(500);

  await deliver(key);

  expect(stores.started).toEqual([{ name: `${key.delivery}-5`, input: { ...key, attempt: 5 } }]);
});

test('if the machine cannot be started, the message fails, so that SQS delivers it again', async () => {
  const key = await given.delivery();
  receiver.answers.push(500);
  const start = vi.spyOn(sfn, 'send').mockRejectedValueOnce(new Error('no such machine'));
  onTestFinished(() => start.mockRestore());

  await expect(deliver(key)).rejects.toThrow('no such machine');
});

test('while two batches of a user hang, the other deliveries of the user go to the patient queue', async () => {
  const { promise: hangUp, resolve } = Promise.withResolvers<number>();
  receiver.answers.push(...Array.from({ length: 12 }, () => () => hangUp));
  const hanging = await Promise.all(Array.from({ length: 12 }, () => given.delivery()));
  const [one, two] = [{}, {}];
  const stuck = hanging.map((key, n) => consume({ ...key, patient: false }, n < 10 ? one : two));
  await vi.waitFor(() => expect(receiver.received).toHaveLength(12), 120_000);

  const late = await given.delivery();
  await deliver(late);
  expect(await stores.readPatient()).toEqual([{ ...late, patient: true }]);
  await consume({ ...late, patient: true }, {});

  expect(JSON.parse(receiver.received[12]?.body ?? '')).toMatchObject({ id: late.id });
  resolve(200);
  await Promise.all(stuck);
  expect(await rowOf(late)).toMatchObject({ delivery_state: 'delivered' });
});

test('a refused connection is a failed attempt', async () => {
  const key = await given.delivery();
  await receiver.stop();

  await deliver(key);

  expect(stores.started).toHaveLength(1);
  await restartReceiver();
});

test.each([2, 3, 4, 5])('succeeds at attempt %i', async (last) => {
  const key = await given.delivery();
  receiver.answers.push(...Array.from({ length: last - 1 }, () => 503));

  await deliver(key);
  const run = { ...key, attempt: 2 };
  for (let n = 2; n < last; n++)
    expect(await deliverAgain(run)).toMatchObject({ attempt: n, outcome: 'failed' });

  expect(await deliverAgain(run)).toEqual({ ...key, attempt: last, outcome: 'delivered' });
  expect(receiver.received).toHaveLength(last);
  expect(await rowOf(key)).toMatchObject({ delivery_state: 'delivered', postback_retries_count: last - 1 });
});

test('is parked once after five failures', async () => {
  const key = await given.delivery();
  receiver.answers.push(500, 500, 500, 500, 500);

  await deliver(key);
  const state = { ...key, attempt: 2 };
  for (let n = 2; n <= 5; n++) {
    expect(await deliverAgain(state)).toEqual({ ...key, attempt: n, outcome: 'failed' });
  }
  expect(await parkDelivery(state)).toMatchObject({ outcome: 'parked' });
  expect(await parkDelivery(state)).toMatchObject({ outcome: 'stale' });
  expect(logged('delivery parked')).toMatchObject([{ delivery: key.delivery, DeliveriesParked: 1 }]);

  expect(receiver.received).toHaveLength(5);
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(
    new Set([key.delivery]),
  );
  const object = `deliveries/1/${key.id}/${key.delivery}.json`;
  expect(await stores.readParked()).toEqual([
    { user_id: 1, id: key.id, delivery: key.delivery, key: object },
  ]);
  expect(await stores.readObject(object)).toMatchObject({
    url: receiver.url,
    delivery: key.delivery,
    payload: JSON.parse(receiver.received[4]?.body ?? ''),
  });
  const row = await rowOf(key);
  expect(row).toMatchObject({ status: 'success', delivery_state: 'parked', postback_retries_count: 4 });
  expect(row).not.toHaveProperty('unfinished');
});

test('a parked webhook of the sandbox stays one of the sandbox when it is sent again', async () => {
  const key = await given.delivery({ delivery_attempt: 5 });
  vi.stubEnv('SEARCH_SOURCE', 'sandbox');
  onTestFinished(() => void vi.unstubAllEnvs());

  await parkDelivery({ ...key, attempt: 6 });
  vi.unstubAllEnvs();
  const parked = await readParked(key);
  await resendDelivery(parked ?? expect.fail('The delivery is not parked'));

  expect(receiver.received[0]?.headers).toMatchObject({ 'x-search-source': 'sandbox' });
});

test('a failed task is delivered as error', async () => {
  const key = await given.delivery({
    status: 'dead_letter',
    error_message: 'machinery: broken',
    succeed_at: 0,
    stored: undefined,
  });

  await deliver(key);

  expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({
    status: 'error',
    error_message: 'machinery: broken',
    result: null,
    top_domains: [],
  });
});

test('html_url redirects to a download of the first stored page', async () => {
  const page = { html_folder: 'a', attempt: 1, page: 1 };
  const html = await putHtml(page, '<p>stored</p>');
  const key = await given.delivery({
    pages: [{ page: 1, url: 'https://engine.example/', status: 'parsed', retry_count: 0, html }],
  });

  await deliver(key);
  const { html_url } = JSON.parse(receiver.received[0]?.body ?? '');
  const [base, token = ''] = html_url.split('/pages/');
  const address = await openPage(token);

  expect(base).toBe('https://here.example');
  expect(await (await fetch(address)).text()).toBe('<p>stored</p>');
  expect(new URL(address).searchParams.get('response-content-disposition')).toMatch(/^attachment/);
  expect(Number(new URL(address).searchParams.get('X-Amz-Expires'))).toBe(60);
  await expect(openPage(`${token}x`)).rejects.toMatchObject({ name: 'HttpError', statusCode: 404 });
});
