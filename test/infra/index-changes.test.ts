/** An update of indexes that DynamoDB or CloudFormation would refuse is refused before it starts. */
import { expect, test } from 'vitest';
import { readTemplate } from '../../infra/deployed-template.ts';
import { indexFaults } from '../../infra/index-changes.ts';
import { templateOf } from './template.ts';

const withIndexes = (...names: string[]) =>
  readTemplate(
    JSON.stringify({
      Resources: {
        Tasks: {
          Type: 'AWS::DynamoDB::Table',
          Properties: { GlobalSecondaryIndexes: names.map((IndexName) => ({ IndexName })) },
        },
        Queue: { Type: 'AWS::SQS::Queue' },
      },
    }),
  );

test.each([
  ['nothing', ['a', 'b'], ['b', 'a'], false],
  ['one more', ['a'], ['a', 'b'], false],
  ['one less', ['a'], [], false],
  ['two more', [], ['a', 'b'], true],
  ['one for another', ['a'], ['b'], true],
])('%s: %j to %j', (_, before, after, isFault) => {
  const faults = indexFaults(withIndexes(...before), withIndexes(...after));

  expect(faults).toHaveLength(isFault ? 1 : 0);
  if (isFault) expect(faults[0]).toContain('of Tasks (');
});

test.each([
  ['other keys', { KeySchema: [{ AttributeName: 'other', KeyType: 'HASH' }] }],
  ['another projection', { Projection: { ProjectionType: 'ALL' } }],
])('%s under the same name', (_, change) => {
  const index = {
    IndexName: 'a',
    KeySchema: [{ AttributeName: 'key', KeyType: 'HASH' }],
    Projection: { ProjectionType: 'KEYS_ONLY' },
  };
  const templateWith = (given: object) =>
    readTemplate(
      JSON.stringify({
        Resources: {
          Tasks: { Type: 'AWS::DynamoDB::Table', Properties: { GlobalSecondaryIndexes: [given] } },
        },
      }),
    );
  const faults = indexFaults(templateWith(index), templateWith({ ...index, ...change }));

  expect(faults).toEqual([expect.stringContaining('(a of Tasks)')]);
});

test('a new table, a removed one and the present template are no faults', () => {
  const prod = readTemplate(JSON.stringify(templateOf('prod')));
  const without = { ...prod, Resources: {} };

  expect(indexFaults(without, prod)).toEqual([]);
  expect(indexFaults(prod, without)).toEqual([]);
  expect(indexFaults(prod, prod)).toEqual([]);
});
