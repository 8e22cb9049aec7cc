/** The tables of the embedded stack stay consistent after a SIGKILL at any moment. */
import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import {
  DynamoDBDocumentClient,
  PutCommand,
  QueryCommand,
  ScanCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import dynalite from 'dynalite';
import parser from 'dynalite/db/conditionParser.js';
import layer from 'dynalite/db/index.js';
import validations from 'dynalite/validations/index.js';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { openTables } from '../../../infra/local/stores/durable-tables.ts';
import { unsigned } from '../../../infra/local/stores/unsigned-requests.ts';
import { createTable } from './fixtures/create-table.ts';

/** dynalite without patches: the files of a worker share the package. */
const unpatched = { layer: { ...layer }, parser: { ...parser }, validations: { ...validations } };
afterAll(() => {
  Object.assign(layer, unpatched.layer);
  Object.assign(parser, unpatched.parser);
  Object.assign(validations, unpatched.validations);
});

const table: CreateTableCommandInput = {
  TableName: 'Things',
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: [
    { AttributeName: 'id', AttributeType: 'N' },
    { AttributeName: 'shelf', AttributeType: 'S' },
    { AttributeName: 'due', AttributeType: 'N' },
  ],
  KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
  GlobalSecondaryIndexes: [
    {
      IndexName: 'by-due',
      KeySchema: [
        { AttributeName: 'shelf', KeyType: 'HASH' },
        { AttributeName: 'due', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'KEYS_ONLY' },
    },
  ],
};

const clientAt = (port: number) =>
  new DynamoDBClient({
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 1,
  });

let folder: string;
let child: ChildProcess | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tables-'));
});
afterEach(() => {
  child?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});

const start = async () => {
  const started = fork(join(import.meta.dirname, 'fixtures/tables-process.ts'), [folder], { execArgv: [] });
  child = started;
  const [{ port }] = (await once(started, 'message')) as [AddressInfo];
  const kill = async () => {
    started.kill('SIGKILL');
    await once(started, 'exit');
  };
  return { client: DynamoDBDocumentClient.from(clientAt(port)), port, kill };
};

/**
 * Updates the due times of rows in parallel until the tables no longer answer. Calls `started` after the
 * first write.
 */
const updateRows = (client: DynamoDBDocumentClient, started: () => void): Promise<unknown> =>
  Promise.all(
    Array.from({ length: 40 }, async (_, id) => {
      for (let due = 0; ; due += 1) {
        const write = new UpdateCommand({
          TableName: 'Things',
          Key: { id },
          UpdateExpression: 'SET shelf = :shelf, due = :due',
          ExpressionAttributeValues: { ':shelf': 'a', ':due': due * 40 + id },
        });
        if (!(await client.send(write).catch(() => null))) return;
        started();
      }
    }),
  );

test('after a SIGKILL, each row has exactly one index entry, for its current values', async () => {
  let { client, kill } = await start();
  await createTable(client, table);

  for (const ms of [150, 220, 310, 400]) {
    const started = Promise.withResolvers<void>();
    const updates = updateRows(client, started.resolve);
    await started.promise;
    await new Promise((resolve) => setTimeout(resolve, ms));
    await kill();
    await updates;
    ({ client, kill } = await start());

    const { Items: rows = [] } = await client.send(new ScanCommand({ TableName: 'Things' }));
    const { Items: entries } = await client.send(
      new QueryCommand({
        TableName: 'Things',
        IndexName: 'by-due',
        KeyConditionExpression: 'shelf = :shelf',
        ExpressionAttributeValues: { ':shelf': 'a' },
      }),
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(entries).toEqual(rows.sort((one, other) => one.due - other.due));
  }
});

const bytesIn = (directory: string): number =>
  readdirSync(directory).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0);

test('an input that is not of the form of its operation is refused, and ends no process', async () => {
  const { port } = await start();
  const statusOf = async (body: string): Promise<number> => {
    const headers = {
      ...unsigned,
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': 'DynamoDB_20120810.GetItem',
    };
    return (await fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body })).status;
  };
  const inputs = ['null', '[]', '5', '"text"', '[null]', '{"Key":null}', '{"Key":5}', '{"Key":{"a":null}}'];

  for (const input of inputs) expect(await statusOf(input), input).toBe(400);

  expect(child?.exitCode).toBeNull();
});

test('a finished query does not keep overwritten rows on the disk', async () => {
  const { client } = await start();
  await createTable(client, table);
  const item = { id: 1, shelf: 'a', text: randomBytes(150_000).toString('hex') };

  for (let due = 0; due < 100; due += 1) {
    await client.send(new PutCommand({ TableName: 'Things', Item: { ...item, due } }));
    await client.send(
      new QueryCommand({
        TableName: 'Things',
        IndexName: 'by-due',
        KeyConditionExpression: 'shelf = :shelf',
        ExpressionAttributeValues: { ':shelf': 'a' },
        Limit: 1,
      }),
    );
  }

  // What LevelDB keeps until it tidies up; of all that was written, there are 200 MB.
  await expect.poll(() => bytesIn(folder), { timeout: 120_000 }).toBeLessThan(60_000_000);
});

test('a table that was half made when the process died can be made again', async () => {
  const killed = dynalite({ path: folder, createTableMs: 3_600_000 }).listen(0, '127.0.0.1');
  await once(killed, 'listening');
  const before = clientAt((killed.address() as AddressInfo).port);
  await before.send(new CreateTableCommand(table));
  killed.closeAllConnections();
  await new Promise((resolve) => killed.close(resolve));

  const tables = (await openTables(folder)).listen(0, '127.0.0.1');
  await once(tables, 'listening');
  const after = clientAt((tables.address() as AddressInfo).port);

  await expect(after.send(new DescribeTableCommand({ TableName: 'Things' }))).rejects.toThrow(
    'Requested resource not found',
  );
  await after.send(new CreateTableCommand(table));
  tables.closeAllConnections();
  await new Promise((resolve) => tables.close(resolve));
});
