/** Finds changes of tables that DynamoDB refuses: of one table, one index at a time is made or deleted. */
import * as v from 'valibot';
import type { DeployedTemplate } from './removals.ts';

const Indexes = v.optional(v.array(v.object({ IndexName: v.string() })), []);

const indexesOf = (template: DeployedTemplate, table: string): Set<string> => {
  const { GlobalSecondaryIndexes } = template.Resources[table]?.Properties ?? {};
  return new Set(v.parse(Indexes, GlobalSecondaryIndexes).map(({ IndexName }) => IndexName));
};

/** A sentence for each table of which the update makes or deletes more than one index. */
export const indexFaults = (deployed: DeployedTemplate, next: DeployedTemplate): string[] =>
  Object.entries(deployed.Resources).flatMap(([table, { Type }]) => {
    if (Type !== 'AWS::DynamoDB::Table' || next.Resources[table]?.Type !== Type) return [];
    const [before, after] = [indexesOf(deployed, table), indexesOf(next, table)];
    const changed = [...before.symmetricDifference(after)];
    return changed.length > 1
      ? [
          `DynamoDB makes or deletes one index of a table at a time, and this update changes ${changed.length} of ${table} ` +
            `(${changed.join(', ')}): deploy a version for each of them`,
        ]
      : [];
  });
