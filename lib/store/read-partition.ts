/** Reads all items of a partition of a table, page by page. */
import { paginateQuery } from '@aws-sdk/lib-dynamodb';
import { dynamo } from '../runtime/aws.ts';
import type { Item } from './version.ts';

/** A partition, by the name and the value of the key attribute. */
type Partition = { table: string; name: 'partition' | 'pk'; value: string };

/** Items of a page. DynamoDB also ends a page at 1 MB. */
const pageItems = 250;

/** The items of a partition, in the order of their sort key. `only`: the attributes that are returned. */
export async function* readPartition(
  { table, name, value }: Partition,
  only?: readonly string[],
): AsyncGenerator<Item[]> {
  const names = only?.map((attribute) => `#${attribute}`);
  const query = {
    TableName: table,
    KeyConditionExpression: '#key = :value',
    ...(names && { ProjectionExpression: names.join(', ') }),
    ExpressionAttributeNames: {
      '#key': name,
      ...Object.fromEntries((only ?? []).map((attribute) => [`#${attribute}`, attribute])),
    },
    ExpressionAttributeValues: { ':value': value },
    Limit: pageItems,
    ConsistentRead: true,
  };
  for await (const { Items = [] } of paginateQuery({ client: dynamo }, query)) {
    if (Items.length > 0) yield Items;
  }
}
