/**
 * Compares the indexes of tables. DynamoDB makes or deletes one index of a table at a time. CloudFormation
 * changes neither the keys nor the projection of one.
 */
import * as v from 'valibot';
import type { DeployedTemplate } from './deployed-template.ts';

const Indexes = v.optional(
  v.array(
    v.object({
      IndexName: v.string(),
      KeySchema: v.optional(v.unknown()),
      Projection: v.optional(v.unknown()),
    }),
  ),
  [],
);

/** Name → keys and projection of each index of a table. */
const indexesOf = (properties: Record<string, unknown> = {}): Map<string, string> =>
  new Map(
    v
      .parse(Indexes, properties.GlobalSecondaryIndexes)
      .map(({ IndexName, KeySchema, Projection }) => [IndexName, JSON.stringify([KeySchema, Projection])]),
  );

/** The names of the indexes that a table with the properties `before` has, and one with `after` lacks. */
export const lostIndexes = (before: Record<string, unknown>, after: Record<string, unknown>): string[] => {
  const kept = indexesOf(after);
  return [...indexesOf(before).keys()].filter((name) => !kept.has(name));
};

/**
 * A sentence for each table of which the update makes or deletes more than one index, and for each index
 * with other keys or another projection under the same name.
 */
export const indexFaults = (deployed: DeployedTemplate, next: DeployedTemplate): string[] =>
  Object.entries(deployed.Resources).flatMap(([table, { Type, Properties }]) => {
    if (Type !== 'AWS::DynamoDB::Table' || next.Resources[table]?.Type !== Type) return [];
    const [before, after] = [indexesOf(Properties), indexesOf(next.Resources[table].Properties)];
    const other = [...before].filter(([name, index]) => (after.get(name) ?? index) !== index);
    const changed = [...new Set(before.keys()).symmetricDifference(new Set(after.keys()))];
    return [
      ...other.map(
        ([name]) =>
          `CloudFormation refuses other keys or another projection of an index that exists (${name} of ${table}): ` +
          'give the new index another name, and remove the former one in a later version',
      ),
      ...(changed.length > 1
        ? [
            `DynamoDB makes or deletes one index of a table at a time, and this update changes ${changed.length} of ${table} ` +
              `(${changed.join(', ')}): deploy a version for each of them`,
          ]
        : []),
    ];
  });
