/** Deliveries that wait for their attempts, in real stores, and a new receiver for each test. */
import { DeleteCommand, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest';
import type { DeliveryKey } from '../../../lib/model/workflow.ts';
import { layouts } from '../../../lib/store/layouts.ts';
import { rowKey } from '../../../lib/store/partitions.ts';
import type { SerpRow } from '../../../lib/store/task-row.ts';
import { startReceiver } from './receiver.ts';
import { startStores } from './stores.ts';

// The stores read their names from the environment when they are imported.
export const stores = await startStores();
const { dynamo } = await import('../../../lib/runtime/aws.ts');
const { clock } = await import('../../../lib/runtime/clock.ts');
const { putResult } = await import('../../../lib/store/put-result.ts');
const { noSearchOptions } = await import('../../../lib/model/search-options.ts');
const { readRow } = await import('../../../lib/store/tasks.ts');
const { deliver: consume } = await import('../../../lib/postback/deliver.ts');

export const secrets = [2, 1].map((byte) => `whsec_${Buffer.alloc(24, byte).toString('base64')}`);
export let receiver: Awaited<ReturnType<typeof startReceiver>>;
let lastId = 1000;

export const given = {
  /** A finished task whose webhook waits for its first attempt. */
  delivery: async (fields: Partial<SerpRow> = {}): Promise<DeliveryKey> => {
    const id = ++lastId;
    const delivery = `msg_1_${id}_1`;
    const now = clock();
    const row: SerpRow = {
      kind: 'serp',
      engine: 'google',
      version: layouts.task.rowVersion,
      snapshot_hash: '',
      html_folder: 'a',
      user_id: 1,
      id,
      sharding: 0,
      status: 'success',
      keyword: 'coffee',
      location_name: 'Germany',
      iso_code: 'DE',
      language_code: 'de',
      domain: null,
      business_name: null,
      competitors: null,
      engine_domain: 'google.com',
      device: 'desktop',
      postback_url: receiver.url,
      post_id: null,
      keyword_id: null,
      priority: 1,
      frequency: 24,
      se_id: 0,
      depth: 10,
      ...noSearchOptions,
      pages: [],
      postback_retries_count: 0,
      retries_count: 0,
      created_on: '2026-01-01',
      created_at: now,
      succeed_at: now,
      ttl: now + 86_400,
      error_message: null,
      crawled_at: now,
      reused: false,
      complete: true,
      attempt: 1,
      lease_until: 0,
      base_url: 'https://here.example',
      stored: await putResult(
        { user_id: fields.user_id ?? 1, id, attempt: 1, ttl: now + 86_400 },
        {
          result: { left: [], right: [] },
          tracking: null,
          pages: {},
          total_results: 'About 3 results',
          search_time: 0.2,
          top_10: ['a.example'],
        },
      ),
      delivery,
      delivery_state: 'pending',
      delivery_attempt: 0,
      unfinished: '0',
      due_at: now + 60,
      ...fields,
    };
    await dynamo.send(
      new PutCommand({ TableName: process.env.TASKS_TABLE, Item: { ...rowKey(row), ...row } }),
    );
    return { user_id: 1, id, delivery, attempt: 1 };
  },
};

/** Handles a message that is received in its own batch. */
export const deliver = (key: DeliveryKey) => consume({ ...key, patient: false }, {});

const written: string[] = [];

/** The log lines of the test so far that have this message. */
export const logged = (message: string) =>
  written.map((line) => JSON.parse(line)).filter((line) => line.message === message);

export const rowOf = (key: DeliveryKey) => readRow(key.user_id, key.id, 0);

beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockImplementation((line) => written.push(String(line)) > 0);
  const account = {
    id: 1,
    enabled: true,
    ttl: 0,
    webhook_secrets: secrets,
    signing_key: Buffer.alloc(32, 7).toString('base64'),
  };
  await dynamo.send(new PutCommand({ TableName: process.env.USERS_TABLE, Item: account }));
});
afterAll(async () => {
  vi.useRealTimers();
  await stores.stop();
});

/** An attempt that takes more than two seconds, as on a busy machine, keeps its slot after its test. */
const freeSlots = async (): Promise<void> => {
  const TableName = process.env.LIMITS_TABLE;
  const { Items = [] } = await dynamo.send(new ScanCommand({ TableName }));
  for (const { key } of Items) await dynamo.send(new DeleteCommand({ TableName, Key: { key } }));
};

beforeEach(async () => {
  await freeSlots();
  receiver = await startReceiver();
  stores.started.length = 0;
  written.length = 0;
});
afterEach(() => receiver.stop());

/** Starts a new receiver after a test has stopped the first one. */
export const restartReceiver = async (): Promise<void> => {
  receiver = await startReceiver();
};
