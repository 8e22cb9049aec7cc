/** Empties the pace table, which is a cache: an engine without rows is asked as after a pause. */
import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { dynamo } from '../runtime/aws.ts';
import { paceTable } from './pace-rows.ts';
import { type WriteRequest, writeBatches } from './write-batches.ts';

/**
 * Deletes all turns, waits and rests, for a machine whose clock was set back: until the times in them come,
 * no search would get a turn.
 */
export const clearPace = async (): Promise<void> => {
  const query = { TableName: paceTable, ProjectionExpression: 'line', ConsistentRead: true };
  for await (const { Items = [] } of paginateScan({ client: dynamo }, query)) {
    const deletions = Items.map(({ line }): WriteRequest => ({ DeleteRequest: { Key: { line } } }));
    await writeBatches(paceTable, 'write-pace', deletions);
  }
};
