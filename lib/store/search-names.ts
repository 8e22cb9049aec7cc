/** Who is named in a tracked search, whatever release wrote it: for the deletion of a user. */
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { dynamo } from '../runtime/aws.ts';
import { resource } from '../runtime/env.ts';
import { durablyIf } from './conditional.ts';
import { readPartition } from './read-partition.ts';
import { type Subscriber, searchKey } from './searches.ts';

const table = resource('TRACKING_TABLE');

/** Who pays for the crawl that runs, who has asked for the next one, and the subscribers. */
export type SearchNames = {
  task_user: number;
  asked_by: number;
  subscribers: Pick<Subscriber, 'search_hash' | 'keyword_id' | 'user_id'>[];
};

export const readSearchNames = async (search_hash: string): Promise<SearchNames> => {
  const { pk, sk: ofSearch } = searchKey(search_hash);
  const names: SearchNames = { task_user: 0, asked_by: 0, subscribers: [] };
  const partition = { table, name: 'pk', value: pk } as const;
  const attributes = ['sk', 'user_id', 'keyword_id', 'task_user', 'asked_by'];
  for await (const items of readPartition(partition, attributes)) {
    for (const { sk, user_id, keyword_id, task_user = 0, asked_by = 0 } of items) {
      if (sk === ofSearch) Object.assign(names, { task_user: Number(task_user), asked_by: Number(asked_by) });
      else names.subscribers.push({ search_hash, keyword_id: Number(keyword_id), user_id: Number(user_id) });
    }
  }
  return names;
};

/** Takes a user out of the crawl of a search that runs, and out of the wish for the next one. */
export const forgetPayer = async (searchHash: string, userId: number): Promise<void> => {
  for (const [name, update] of [
    ['task_user', 'SET task_user = :nobody, task_id = :nobody'],
    ['asked_by', 'SET asked_by = :nobody'],
  ]) {
    const forget = new UpdateCommand({
      TableName: table,
      Key: searchKey(searchHash),
      UpdateExpression: update,
      ConditionExpression: `${name} = :user`,
      ExpressionAttributeValues: { ':nobody': 0, ':user': userId },
    });
    await durablyIf('write-search', () => dynamo.send(forget));
  }
};
