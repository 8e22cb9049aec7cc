/** Who is named in a tracked search, whatever release wrote it: for the deletion of a user. */
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { dynamo } from '../runtime/aws.ts';
import { resource } from '../runtime/env.ts';
import { durablyIf } from './conditional.ts';
import { readPartition } from './read-partition.ts';
import { type Subscriber, searchKey } from './searches.ts';

const table = resource('TRACKING_TABLE');

/** The user of the task of the last crawl, and the subscribers. */
export type SearchNames = {
  task_user: number;
  subscribers: Pick<Subscriber, 'search_hash' | 'keyword_id' | 'user_id'>[];
};

export const readSearchNames = async (search_hash: string): Promise<SearchNames> => {
  const { pk, sk: ofSearch } = searchKey(search_hash);
  const names: SearchNames = { task_user: 0, subscribers: [] };
  const partition = { table, name: 'pk', value: pk } as const;
  for await (const items of readPartition(partition, ['sk', 'user_id', 'keyword_id', 'task_user'])) {
    for (const { sk, user_id, keyword_id, task_user = 0 } of items) {
      if (sk === ofSearch) names.task_user = Number(task_user);
      else names.subscribers.push({ search_hash, keyword_id: Number(keyword_id), user_id: Number(user_id) });
    }
  }
  return names;
};

/** Takes the user of the last crawl out of a search, and nothing else. */
export const forgetPayer = async (searchHash: string, userId: number): Promise<void> => {
  const forget = new UpdateCommand({
    TableName: table,
    Key: searchKey(searchHash),
    UpdateExpression: 'SET task_user = :nobody, task_id = :nobody',
    ConditionExpression: 'task_user = :user',
    ExpressionAttributeValues: { ':nobody': 0, ':user': userId },
  });
  await durablyIf('write-search', () => dynamo.send(forget));
};
