/**
 * The units that the embedded tables count for writes and reads, compared with the pricing rules in AWS's
 * guide.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchWriteCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import layer from 'dynalite/db/index.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Units } from '../../../infra/cost/counts.ts';
import { openTables } from '../../../infra/local/stores/durable-tables.ts';
import { countUnits } from '../../../infra/local/stores/table-units.ts';
import { createTable } from './fixtures/create-table.ts';

/** dynalite without patches: the files of a worker share the package. */
const unpatched = { ...layer };
afterAll(() => {
  Object.assign(layer, unpatched);
});

const folder = mkdtempSync(join(tmpdir(), 'units-'));
const TableName = 'Rows';
let server: Server;
let dynamo: DynamoDBDocumentClient;
let units: Units;

beforeAll(async () => {
  server = await openTables(folder);
  units = await countUnits();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  dynamo = DynamoDBDocumentClient.from(
    new DynamoDBClient({
      endpoint: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
      region: 'us-east-1',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    }),
  );
  const key = (name: string) => ({ AttributeName: name, KeyType: 'HASH' as const });
  await createTable(dynamo, {
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: [key('id')],
    AttributeDefinitions: [
      { AttributeName: 'id', AttributeType: 'N' },
      { AttributeName: 'due', AttributeType: 'N' },
    ],
    GlobalSecondaryIndexes: [
      { IndexName: 'by-due', KeySchema: [key('due')], Projection: { ProjectionType: 'KEYS_ONLY' } },
    ],
  });
});
afterAll(async () => {
  dynamo.destroy();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true });
});

const text = (kilobytes: number) => 'x'.repeat(kilobytes * 1024 - 100);

/** What `work` adds. It may reject. */
const added = async (work: () => Promise<unknown>): Promise<Units> => {
  const before = { ...units };
  await work().catch(() => undefined);
  return Object.fromEntries(
    Object.entries(units).flatMap(([what, count]) =>
      count > (before[what] ?? 0) ? [[what, count - (before[what] ?? 0)]] : [],
    ),
  );
};

/** The units that `work` adds, without the stored bytes. */
const counted = async (work: () => Promise<unknown>): Promise<Units> =>
  Object.fromEntries(Object.entries(await added(work)).filter(([what]) => !what.startsWith('stored ')));

const put = (Item: Record<string, unknown>) => dynamo.send(new PutCommand({ TableName, Item }));
const update = (id: number, more: object) =>
  dynamo.send(new UpdateCommand({ TableName, Key: { id }, ...more }));

test('a put costs the size of the item, and one unit for its index entry', async () => {
  expect(await counted(() => put({ id: 1, text: text(3), due: 5 }))).toEqual({
    'write Rows': 3,
    'write Rows/by-due': 1,
  });
});

test('a table grows by the size of a new item and 100 bytes, and by what is added to an item', async () => {
  const stored = async (work: () => Promise<unknown>) => (await added(work))['stored Rows'];
  const more = { UpdateExpression: 'SET flag = :yes', ExpressionAttributeValues: { ':yes': 'yes' } };

  // `id` with a number of two digits takes 2 + 2 bytes, `text` takes 4 + 924.
  expect(await stored(() => put({ id: 21, text: text(1) }))).toBe(4 + 928 + 100);
  expect(await stored(() => update(21, more))).toBe(4 + 3);
  expect(await stored(() => put({ id: 21 }))).toBeUndefined();
  const Items = [22, 23].map((id) => ({ PutRequest: { Item: { id } } }));
  const write = new BatchWriteCommand({ RequestItems: { [TableName]: Items } });
  expect(await stored(() => dynamo.send(write))).toBe(2 * 104);
});

test('a batch costs the sum of its puts', async () => {
  const Items = [2, 3].map((id) => ({ PutRequest: { Item: { id, text: text(2) } } }));
  const write = new BatchWriteCommand({ RequestItems: { [TableName]: Items } });

  expect(await counted(() => dynamo.send(write))).toEqual({ 'write Rows': 4 });
});

test('an update costs the larger size before and after it', async () => {
  await put({ id: 4, text: text(5) });

  const small = { UpdateExpression: 'SET flag = :yes', ExpressionAttributeValues: { ':yes': 1 } };
  expect(await counted(() => update(4, small))).toEqual({ 'write Rows': 5 });
  expect(
    await counted(() =>
      update(4, { UpdateExpression: 'REMOVE #t', ExpressionAttributeNames: { '#t': 'text' } }),
    ),
  ).toEqual({ 'write Rows': 5 });
});

test('an index costs nothing if its entry stays, two writes if its key changes, and one if its entry is removed', async () => {
  await put({ id: 6, due: 1 });
  const set = (name: string, to: number) => ({
    UpdateExpression: `SET ${name} = :to`,
    ExpressionAttributeValues: { ':to': to },
  });

  expect(await counted(() => update(6, set('spare', 1)))).toEqual({ 'write Rows': 1 });
  expect(await counted(() => update(6, set('due', 2)))).toEqual({ 'write Rows': 1, 'write Rows/by-due': 2 });
  expect(await counted(() => update(6, { UpdateExpression: 'REMOVE due' }))).toEqual({
    'write Rows': 1,
    'write Rows/by-due': 1,
  });
});

test('a write that its condition refuses costs the size of the existing item', async () => {
  await put({ id: 7, text: text(4) });
  const never = {
    UpdateExpression: 'SET flag = :yes',
    ConditionExpression: 'attribute_not_exists(id)',
    ExpressionAttributeValues: { ':yes': 1 },
  };

  expect(await counted(() => update(7, never))).toEqual({ 'write Rows': 4 });
});

test('a delete costs the size of the item, or one unit if there is none', async () => {
  await put({ id: 8, text: text(2) });
  const remove = () => dynamo.send(new DeleteCommand({ TableName, Key: { id: 8 } }));

  expect(await counted(remove)).toEqual({ 'write Rows': 2 });
  expect(await counted(remove)).toEqual({ 'write Rows': 1 });
});

test('a read costs one unit for each 4 KB, half of it if not consistent, and one unit if there is no item', async () => {
  await put({ id: 9, text: text(5) });
  const get = (id: number, ConsistentRead: boolean) => () =>
    dynamo.send(new GetCommand({ TableName, Key: { id }, ConsistentRead }));

  expect(await counted(get(9, true))).toEqual({ 'read Rows': 2 });
  expect(await counted(get(9, false))).toEqual({ 'read Rows': 1 });
  expect(await counted(get(99, true))).toEqual({ 'read Rows': 1 });
});

test('partitions are counted one by one if their key is given', async () => {
  const byPartition = await countUnits(undefined, { Rows: 'id', 'Rows/by-due': 'due' });
  await put({ id: 21, text: text(2), due: 31 });
  const move = { UpdateExpression: 'SET due = :to', ExpressionAttributeValues: { ':to': 32 } };
  await update(21, move);
  await update(21, { ...move, ConditionExpression: 'attribute_not_exists(id)' }).catch(() => undefined);
  await dynamo.send(new GetCommand({ TableName, Key: { id: 21 }, ConsistentRead: true }));
  await dynamo.send(
    new QueryCommand({
      TableName,
      IndexName: 'by-due',
      KeyConditionExpression: 'due = :due',
      ExpressionAttributeValues: { ':due': 32 },
    }),
  );

  expect(byPartition).toEqual({
    'stored Rows': expect.any(Number),
    'write Rows 21': 6,
    'write Rows/by-due 31': 2,
    'write Rows/by-due 32': 1,
    'read Rows 21': 1,
    'read Rows/by-due 32': 0.5,
  });
});

test('a query of an index costs the size of the entries that it finds', async () => {
  const query = (due: number) => () =>
    dynamo.send(
      new QueryCommand({
        TableName,
        IndexName: 'by-due',
        KeyConditionExpression: 'due = :due',
        ExpressionAttributeValues: { ':due': due },
      }),
    );

  expect(await counted(query(5))).toEqual({ 'read Rows/by-due': 0.5 });
  expect(await counted(query(12345))).toEqual({ 'read Rows/by-due': 0.5 });
});
