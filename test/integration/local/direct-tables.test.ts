/**
 * The functions of the embedded stack call its tables without HTTP, and get the same answers and errors as
 * with requests.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { type ClientRequest, createServer, request, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import dynalite from 'dynalite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { callTablesDirectly } from '../../../infra/local/lambda/direct-tables.ts';
import { credentials } from '../../../infra/local/stores/emulators.ts';
import { acceptTableCalls } from '../../../infra/local/stores/table-calls.ts';
import { createTable } from './fixtures/create-table.ts';
import { TableName, table } from './fixtures/things-table.ts';

type Call = (client: DynamoDBDocumentClient) => Promise<object>;

let server: Server;
let endpoint: string;
let endCalls: () => void;
const counted: [operation: string, bytes: number][] = [];

const clientAt = (url: string): DynamoDBDocumentClient =>
  DynamoDBDocumentClient.from(
    new DynamoDBClient({ endpoint: url, region: 'us-east-1', credentials, maxAttempts: 1 }),
    { marshallOptions: { removeUndefinedValues: true } },
  );

const directAt = async (url: string): Promise<DynamoDBDocumentClient> => {
  const client = clientAt(url);
  await callTablesDirectly(client, url);
  return client;
};

const addressOf = (it: Server): string => `http://127.0.0.1:${(it.address() as AddressInfo).port}`;

/** The operations of the requests that this process sends to tables while `work` runs. */
const requestsOf = async (work: () => Promise<unknown>): Promise<string[]> => {
  const targets: string[] = [];
  const onStart = (message: unknown) => {
    const target = (message as { request: ClientRequest }).request.getHeader('x-amz-target');
    if (target) targets.push(String(target).replace(/.*\./, ''));
  };
  subscribe('http.client.request.start', onStart);
  await work().finally(() => unsubscribe('http.client.request.start', onStart));
  return targets;
};

beforeEach(async () => {
  counted.length = 0;
  server = dynalite({ createTableMs: 0 });
  endCalls = acceptTableCalls(server, (operation, bytes) => counted.push([operation, bytes]));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  endpoint = addressOf(server);
  const dynamo = new DynamoDBClient({ endpoint, region: 'us-east-1', credentials });
  await createTable(dynamo, table);
  dynamo.destroy();
});
afterEach(async () => {
  endCalls();
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

const key = { shelf: 'a', id: 1 };
const item = {
  ...key,
  name: 'naïve 東京 😀\n"quoted"',
  bytes: new Uint8Array([0, 10, 13, 255]),
  tags: new Set(['x', 'y']),
  numbers: new Set([1, -2.5]),
  parts: [new Set([new Uint8Array([7])]), null, true, { deep: [{ er: 1e21 / 1e7 }] }],
  absent: undefined,
  blank: '',
};

const ofShelf = {
  KeyConditionExpression: 'shelf = :shelf',
  ExpressionAttributeValues: { ':shelf': 'a' },
};

/** In this order: each one finds what those before it wrote. */
const calls: [string, Call][] = [
  ['put', (client) => client.send(new PutCommand({ TableName, Item: item }))],
  ['get', (client) => client.send(new GetCommand({ TableName, Key: key, ConsistentRead: true }))],
  ['get of nothing', (client) => client.send(new GetCommand({ TableName, Key: { ...key, id: 2 } }))],
  [
    'put that returns the former item',
    (client) =>
      client.send(new PutCommand({ TableName, Item: { ...item, name: 'b' }, ReturnValues: 'ALL_OLD' })),
  ],
  [
    'update that returns the item',
    (client) =>
      client.send(
        new UpdateCommand({
          TableName,
          Key: key,
          UpdateExpression: 'SET #count = if_not_exists(#count, :zero) + :one, #bytes = :bytes REMOVE blank',
          ExpressionAttributeNames: { '#count': 'count', '#bytes': 'bytes' },
          ExpressionAttributeValues: { ':zero': 0, ':one': 1, ':bytes': Buffer.from('part of a pool') },
          ReturnValues: 'ALL_NEW',
        }),
      ),
  ],
  [
    'writes of a batch',
    (client) =>
      client.send(
        new BatchWriteCommand({
          RequestItems: {
            [TableName]: [
              ...[2, 3, 4].map((id) => ({ PutRequest: { Item: { ...item, id } } })),
              { DeleteRequest: { Key: { shelf: 'a', id: 9 } } },
            ],
          },
        }),
      ),
  ],
  [
    'reads of a batch',
    (client) =>
      client.send(
        new BatchGetCommand({
          RequestItems: { [TableName]: { Keys: [{ ...key, id: 9 }, key], ConsistentRead: true } },
        }),
      ),
  ],
  [
    'a page of a query',
    (client) =>
      client.send(
        new QueryCommand({
          TableName,
          ...ofShelf,
          Limit: 2,
        }),
      ),
  ],
  [
    'the next page of a query',
    (client) =>
      client.send(
        new QueryCommand({
          TableName,
          ...ofShelf,
          ExclusiveStartKey: { ...key, id: 2 },
        }),
      ),
  ],
  ['a scan', (client) => client.send(new ScanCommand({ TableName, ProjectionExpression: 'id' }))],
  [
    'delete that returns the item',
    (client) => client.send(new DeleteCommand({ TableName, Key: key, ReturnValues: 'ALL_OLD' })),
  ],
];

/** An output without what only a request has. */
const plain = (output: object) => ({ ...output, $metadata: undefined });

test('answers are those of requests', async () => {
  const outputsOf = async (client: DynamoDBDocumentClient) => {
    const outputs: unknown[] = [];
    for (const [name, call] of calls) outputs.push([name, plain(await call(client))]);
    return outputs;
  };
  const overHttp = await outputsOf(clientAt(endpoint));
  await clientAt(endpoint).send(
    new BatchWriteCommand({
      RequestItems: {
        [TableName]: [2, 3, 4].map((id) => ({ DeleteRequest: { Key: { ...key, id } } })),
      },
    }),
  );
  const client = await directAt(endpoint);

  let direct: unknown[] = [];
  const requests = await requestsOf(async () => {
    direct = await outputsOf(client);
  });

  expect(direct).toEqual(overHttp);
  expect(requests).toEqual([]);
  expect(counted).toHaveLength(calls.length);
  expect(counted[0]?.[0]).toBe('PutItem');
  expect(counted[0]?.[1]).toBeGreaterThan(200);
});

test.each([
  ['a condition that is not met', { ConditionExpression: 'attribute_not_exists(shelf)' }, []],
  ['an expression that is malformed', { ConditionExpression: 'nonsense' }, ['PutItem']],
  ['a table that does not exist', { TableName: 'Nothing' }, ['PutItem']],
])('%s is the error of a request', async (_, more, repeated) => {
  const command = () => new PutCommand({ TableName, Item: { ...key }, ...more });
  const fails = (client: DynamoDBDocumentClient) => client.send(command()).catch((error: unknown) => error);
  await clientAt(endpoint).send(new PutCommand({ TableName, Item: key }));
  const wanted = await fails(clientAt(endpoint));
  const client = await directAt(endpoint);

  let error: unknown;
  const requests = await requestsOf(async () => {
    error = await fails(client);
  });

  expect(error).toBeInstanceOf(Error);
  expect(error).toHaveProperty('name', (wanted as Error).name);
  expect(error).toHaveProperty('message', (wanted as Error).message);
  expect(Object.getPrototypeOf(error)).toBe(Object.getPrototypeOf(wanted));
  expect(error).toHaveProperty('$metadata.httpStatusCode', 400);
  expect(requests).toEqual(repeated);
});

test.each([
  ['a class', new Date(0)],
  ['a number that a float cannot hold', 2 ** 60],
  ['a set of nothing', new Set()],
  ['not a number', Number.NaN],
])('what the SDK refuses to write is refused: %s', async (_, value) => {
  const command = () => new PutCommand({ TableName, Item: { ...key, value } });
  const client = await directAt(endpoint);

  await expect(clientAt(endpoint).send(command())).rejects.toThrow();
  await expect(client.send(command())).rejects.toThrow();
  expect(counted).toEqual([]);
});

test('a thousand calls at once are answered each with its own item', async () => {
  const client = await directAt(endpoint);
  const ids = Array.from({ length: 1000 }, (_, n) => n);
  await Promise.all(
    ids.map((id) =>
      client.send(new PutCommand({ TableName, Item: { shelf: 'b', id, text: '東'.repeat(id) } })),
    ),
  );

  const items = await Promise.all(
    ids.map(async (id) => (await client.send(new GetCommand({ TableName, Key: { shelf: 'b', id } }))).Item),
  );

  expect(items).toEqual(ids.map((id) => ({ shelf: 'b', id, text: '東'.repeat(id) })));
});

test('characters that arrive in two parts are one', async () => {
  const port = Number(new URL(endpoint).port);
  const socket = connect(port, '127.0.0.1');
  const received: Buffer[] = [];
  socket.on('data', (bytes) => received.push(bytes));
  const text = () => Buffer.concat(received).toString();
  const until = async (isThere: () => boolean) => {
    while (!isThere()) await new Promise((resolve) => setImmediate(resolve));
  };
  socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: table-calls\r\n\r\n');
  await until(() => text().endsWith('\r\n\r\n'));
  const put = { TableName, Item: { shelf: { S: '東' }, id: { N: '1' } } };
  const line = Buffer.from(`1 PutItem ${JSON.stringify(put)}\n`);
  const within = line.indexOf('東') + 1;

  socket.write(line.subarray(0, within));
  await new Promise((resolve) => setTimeout(resolve, 20));
  socket.write(line.subarray(within));
  await until(() => text().includes('1 200 {}\n'));

  socket.destroy();
  const read = new GetCommand({ TableName, Key: { shelf: '東', id: 1 } });
  expect((await clientAt(endpoint).send(read)).Item).toEqual({ shelf: '東', id: 1 });
});

test('calls take requests when the connection has ended, also those that wait for their answers', async () => {
  const client = await directAt(endpoint);
  await client.send(new PutCommand({ TableName, Item: key }));
  const read = async () => (await client.send(new GetCommand({ TableName, Key: key }))).Item;
  // The first call that this server is asked is left without an answer.
  const handle = server.listeners('request')[0] as () => void;
  server.removeAllListeners('request');
  const asked = once(server, 'request');
  const waits = read();
  await asked;
  server.on('request', handle);

  const requests = await requestsOf(async () => {
    endCalls();
    expect(await waits).toEqual(key);
    expect(await read()).toEqual(key);
  });

  expect(requests).toEqual(['GetItem', 'GetItem']);
});

test('other tables are asked with requests', async () => {
  // Passes requests on, and knows no other protocol.
  const proxy = createServer((incoming, response) => {
    const { method, url } = incoming;
    const { connection, upgrade, ...headers } = incoming.headers;
    const onward = request(`${endpoint}${url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(onward);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const client = await directAt(addressOf(proxy));

  await client.send(new PutCommand({ TableName, Item: key }));
  const { Item } = await client.send(new GetCommand({ TableName, Key: key }));

  expect(Item).toEqual(key);
  expect(counted).toEqual([]);
  client.destroy();
  proxy.closeAllConnections();
  proxy.close();
});

test('an offer of another protocol is an ordinary request', async () => {
  const socket: Socket = connect(Number(new URL(endpoint).port), '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n');

  const [bytes] = await once(socket, 'data');

  expect(String(bytes)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  socket.destroy();
});
