/**
 * Parked deliveries are listed, and can be sent again even if only the parked payload of the task is left.
 */
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { Webhook } from 'standardwebhooks';
import * as v from 'valibot';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { V2Payload } from '../../../lib/model/delivery.ts';
import { V1Task } from '../../../lib/model/v1-task.ts';
import { layouts } from '../../../lib/store/layouts.ts';
import type { ParkedDelivery } from '../../../lib/store/parked-deliveries.ts';
import { rowKey } from '../../../lib/store/partitions.ts';
import { startReceiver } from './receiver.ts';
import { startStores } from './stores.ts';

// The stores read their names from the environment when they are imported.
const stores = await startStores();
const { dynamo } = await import('../../../lib/runtime/aws.ts');
const { clock } = await import('../../../lib/runtime/clock.ts');
const { resendDelivery } = await import('../../../lib/postback/resend.ts');
const { dropSettledMessages, listParked, putParked, readParked } = await import(
  '../../../lib/store/parked-deliveries.ts'
);
const { dropParked } = await import('../../../lib/store/drop-parked.ts');
const { verifyPageToken } = await import('../../../lib/access/page-link.ts');
const { readAccount } = await import('../../../lib/store/users.ts');

const secret = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
const html = 'html/1/2/1.html.gz';
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let lastId = 0;

const payload: V2Payload = {
  id: 0,
  status: 'error',
  keyword: 'coffee',
  location_name: 'Germany',
  iso_code: 'DE',
  device: 'desktop',
  depth: 10,
  language_code: 'de',
  created_at: 1,
  succeed_at: 0,
  result: null,
  tracking: null,
  top_domains: [],
  html_url: 'https://here.example/pages/expired',
  post_id: null,
  keyword_id: null,
  domain: null,
  error_message: 'captcha: the engine asks for one',
  crawled_at: 1,
  reused: false,
  complete: false,
  warnings: [],
};

const ranking = { position: '1', type: 'organic', title: 'Acme', url: 'https://acme.example/', snippet: '' };

const given = {
  parked: async (fields: Partial<ParkedDelivery> = {}): Promise<ParkedDelivery> => {
    const id = ++lastId;
    const parked: ParkedDelivery = {
      version: 2,
      kind: 'serp',
      user_id: 1,
      id,
      delivery: `msg_1_${id}_1`,
      url: receiver.url,
      parked_at: clock(),
      base_url: 'https://here.example',
      html,
      payload: { ...payload, id },
      ...fields,
    };
    await putParked(parked);
    return parked;
  },
};

beforeAll(async () => {
  const account = {
    id: 1,
    enabled: true,
    ttl: 0,
    webhook_secrets: [secret],
    signing_key: Buffer.alloc(32, 7).toString('base64'),
  };
  await dynamo.send(new PutCommand({ TableName: process.env.USERS_TABLE, Item: account }));
});
afterAll(() => stores.stop());
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.stop());

test('a parked delivery is sent with its own id, a new signature and a new link, and is no longer parked', async () => {
  const parked = await given.parked();
  expect(await listParked()).toContainEqual({ user_id: 1, id: parked.id, delivery: parked.delivery });

  expect(await resendDelivery(parked)).toEqual({ ok: true, status: 200 });

  const [{ headers, body } = { headers: {}, body: '' }] = receiver.received;
  const sent = new Webhook(secret).verify(body, headers as Record<string, string>) as V2Payload;
  expect(headers['webhook-id']).toBe(parked.delivery);
  expect({ ...sent, html_url: '' }).toEqual({ ...parked.payload, html_url: '' });
  const [, token = ''] = sent.html_url.split('https://here.example/pages/');
  expect(await verifyPageToken(token, readAccount)).toBe(html);
  expect(await readParked(parked)).toBeUndefined();
  expect((await listParked()).map(({ id }) => id)).not.toContain(parked.id);
});

test('a delivery stays parked if the receiver refuses it again', async () => {
  const parked = await given.parked();
  receiver.answers.push(503);

  expect(await resendDelivery(parked)).toEqual({
    ok: false,
    status: 503,
    reason: 'the receiver answered 503',
  });

  expect(await readParked(parked)).toEqual(parked);
  expect(receiver.received).toHaveLength(1);
});

test('a delivery of a deleted user stays parked, and the reason is returned', async () => {
  const parked = await given.parked({ user_id: 77 });

  expect(await resendDelivery(parked)).toEqual({
    ok: false,
    reason: 'the user of this delivery is gone',
  });

  expect(await readParked(parked)).toEqual(parked);
});

test('a delivery has no link if no page was stored', async () => {
  await resendDelivery(await given.parked({ html: '' }));

  expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({ html_url: '' });
});

test('the task that a v1 delivery contains is parked and sent as it is, without a link', async () => {
  const task = v.parse(V1Task, {
    id: 7,
    user_id: 1,
    status: 'success',
    keyword: 'coffee',
    engine_domain: 'bing.com',
    location_name: 'Germany',
    iso_code: 'DE',
    language_code: 'de',
    postback_url: receiver.url,
    engine_check_url: 'https://www.bing.com/search?q=coffee',
    post_id: null,
    result: { 'acme.example': { type: 'owner', keyword_id: null, results: { organic: ranking } } },
    created_on: '2026-11-22',
    created_at: 1,
    succeed_at: 2,
    ttl: 3,
    complete: true,
  });
  const parked = await given.parked({ payload: task });
  expect((await readParked(parked))?.payload).toEqual(task);

  await resendDelivery(parked);

  expect(JSON.parse(receiver.received[0]?.body ?? '')).toEqual(task);
});

test('a resend marks this delivery of the task as delivered, but not another one', async () => {
  const parked = await given.parked();
  const row = {
    user_id: 1,
    id: parked.id,
    kind: 'serp',
    engine: 'google',
    version: layouts.task.rowVersion,
    delivery_state: 'parked',
    ttl: clock() + 60,
  };
  const stateAfter = async (delivery: string) => {
    await dynamo.send(
      new PutCommand({ TableName: process.env.TASKS_TABLE, Item: { ...rowKey(row), ...row, delivery } }),
    );
    await resendDelivery(parked);
    const { readRow } = await import('../../../lib/store/tasks.ts');
    return (await readRow(1, parked.id))?.delivery_state;
  };

  expect(await stateAfter(parked.delivery)).toBe('delivered');
  expect(await stateAfter('msg_of_a_redriven_task')).toBe('parked');
});

test('a delivery stays parked if the table refuses to record that it was delivered', async () => {
  const parked = await given.parked();
  const send = dynamo.send.bind(dynamo) as (command: never) => Promise<unknown>;
  const spy = vi
    .spyOn(dynamo, 'send')
    .mockImplementation((command) =>
      (command as object) instanceof UpdateCommand
        ? Promise.reject(new Error('slow down'))
        : send(command as never),
    );
  onTestFinished(() => spy.mockRestore());

  await expect(resendDelivery(parked)).rejects.toThrow('slow down');

  expect(receiver.received).toHaveLength(1);
  expect(await readParked(parked)).toEqual(parked);
});

test('the messages of deliveries that are no longer parked are removed from the queue', async () => {
  await dropSettledMessages();
  const before = await stores.countParked();
  const [settled, parked] = [await given.parked(), await given.parked()];
  await resendDelivery(settled);

  await dropSettledMessages();

  expect(await stores.countParked()).toBe(before + 1);
  expect(await readParked(parked)).toEqual(parked);
});

test('a message that stayed can be removed at once, when its delivery is no longer parked', async () => {
  const parked = await given.parked();
  await dropSettledMessages();
  const before = await stores.countParked();
  await dropParked(parked);

  await dropSettledMessages();

  expect(await stores.countParked()).toBe(before - 1);
});

test('the message of a delivery whose copy cannot be read stays, and the others are removed', async () => {
  const before = await stores.countParked();
  const [settled, damaged] = [await given.parked(), await given.parked()];
  await resendDelivery(settled);
  const { s3 } = await import('../../../lib/runtime/s3.ts');
  const Key = `deliveries/1/${damaged.id}/${damaged.delivery}.json`;
  await s3.send(new PutObjectCommand({ Bucket: process.env.BUCKET, Key, Body: '{' }));
  onTestFinished(() => dropParked(damaged));
  await expect(readParked(damaged)).rejects.toThrow();

  await dropSettledMessages();

  expect(await stores.countParked()).toBe(before + 1);
});
