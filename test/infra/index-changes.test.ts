/** An update that changes two indexes of a table is refused before it starts. */
import { expect, test } from 'vitest';
import { indexFaults } from '../../infra/index-changes.ts';
import { readTemplate } from '../../infra/removals.ts';
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

test('a new table, a removed one and the present template are no faults', () => {
  const prod = readTemplate(JSON.stringify(templateOf('prod')));
  const without = { ...prod, Resources: {} };

  expect(indexFaults(without, prod)).toEqual([]);
  expect(indexFaults(prod, without)).toEqual([]);
  expect(indexFaults(prod, prod)).toEqual([]);
});
