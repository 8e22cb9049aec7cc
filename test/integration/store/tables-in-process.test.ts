/** The tables of tests answer without sockets as they answer over HTTP. */
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import {
  ConditionalCheckFailedException,
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';
import { expect, test } from 'vitest';
import { callInProcess } from '../../tables-in-process.ts';

const item = { id: { S: 'é "1"' }, pages: { L: [{ N: '1' }, { NULL: true }] } };
const Key = { id: item.id };
const TableName = 'Things';

/** What a client receives: answers, and the names and texts of errors; and the connections that it opened. */
const talk = async (isInProcess: boolean) => {
  const server = dynalite({ createTableMs: 0 });
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = (typeof address === 'object' && address?.port) || 0;
  const end = isInProcess ? callInProcess(server, port) : () => undefined;
  const client = new DynamoDBClient({ endpoint: `http://127.0.0.1:${port}` });
  const heard: unknown[] = [];
  const hear = async (answer: Promise<object>) => {
    heard.push(
      await answer.then(
        ({ $metadata: _, ...rest }: { $metadata?: object }) => rest,
        (error) => [error.name, error.message, error.$metadata.httpStatusCode],
      ),
    );
  };
  try {
    await client.send(
      new CreateTableCommand({
        TableName,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      }),
    );
    const isActive = async () => {
      const { Table } = await client.send(new DescribeTableCommand({ TableName }));
      return Table?.TableStatus === 'ACTIVE';
    };
    while (!(await isActive())) await setTimeout(1);
    const ConditionExpression = 'attribute_not_exists(id)';
    await hear(client.send(new GetItemCommand({ TableName, Key })));
    await hear(client.send(new PutItemCommand({ TableName, Item: item })));
    await hear(client.send(new GetItemCommand({ TableName, Key })));
    await hear(client.send(new PutItemCommand({ TableName, Item: item, ConditionExpression })));
    await hear(client.send(new GetItemCommand({ TableName: 'Others', Key })));
    await hear(client.send(new GetItemCommand({ TableName, Key: { other: { S: '1' } } })));
    return { heard, connections };
  } finally {
    end();
    client.destroy();
    server.closeAllConnections();
    server.close();
  }
};

test('answers, refusals and errors are the same', async () => {
  const [overHttp, inProcess] = [await talk(false), await talk(true)];

  expect(inProcess.heard).toEqual(overHttp.heard);
  expect(overHttp.heard[2]).toEqual({ Item: item });
  expect(overHttp.heard[3]).toContain(ConditionalCheckFailedException.name);
  expect([overHttp.connections > 0, inProcess.connections]).toEqual([true, 0]);
});
