/** The stores of a folder that an earlier version has made. */
import { CreateTableCommand, DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { makeStores } from '../../../infra/local/stores/make-stores.ts';
import { readTemplate } from '../../../infra/local/template.ts';

const dynamo = mockClient(DynamoDBClient);
beforeEach(() => void dynamo.reset());
afterAll(() => dynamo.restore());

const key = (AttributeName: string) => [{ AttributeName, KeyType: 'HASH' as const }];
const indexes = (...names: string[]) =>
  names.map((IndexName) => ({
    IndexName,
    KeySchema: key('kind'),
    Projection: { ProjectionType: 'ALL' as const },
  }));

const template = readTemplate(
  {
    Resources: {
      Things: {
        Type: 'AWS::DynamoDB::Table',
        Properties: {
          KeySchema: key('id'),
          AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
          GlobalSecondaryIndexes: indexes('one', 'two'),
        },
      },
    },
  },
  'http://127.0.0.1:1',
);

const make = () => makeStores(template, { dynamodb: 'http://127.0.0.1:2', sqs: 'http://127.0.0.1:3' });

test('a table of the same keys and indexes is used as it is', async () => {
  const GlobalSecondaryIndexes = indexes('two', 'one');
  dynamo.on(DescribeTableCommand).resolves({ Table: { KeySchema: key('id'), GlobalSecondaryIndexes } });

  await make();

  expect(dynamo.commandCalls(CreateTableCommand)).toHaveLength(0);
});

test.each([
  ['keys', { KeySchema: key('name'), GlobalSecondaryIndexes: indexes('one', 'two') }],
  ['indexes', { KeySchema: key('id'), GlobalSecondaryIndexes: indexes('one') }],
])('a table with other %s is refused, with what to do', async (_, Table) => {
  dynamo.on(DescribeTableCommand).resolves({ Table });

  await expect(make()).rejects.toThrow(
    'The table Things on disk has other keys or indexes than the stack. Remove DATA_DIR.',
  );
});
