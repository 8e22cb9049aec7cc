/**
 * Which pages of a run wait for the browser or are in it, for the polls of their task. In the limits table,
 * not in the row of the task: the function that opens pages in the browser must not be able to change tasks.
 * Key `key`, one item for each run; expiry attribute `ttl`.
 */
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { PageKey } from '../model/workflow.ts';
import { dynamo } from '../runtime/aws.ts';
import { clock } from '../runtime/clock.ts';
import { durably } from '../runtime/crash.ts';
import { resource } from '../runtime/env.ts';

const table = resource('LIMITS_TABLE');

/** The states of a page that only this item has (Reading 2). */
export type PageProgress = 'queued_browser' | 'in_progress_browser';

type Run = Pick<PageKey, 'user_id' | 'id' | 'attempt'>;

const keyOf = ({ user_id, id, attempt }: Run) => ({ key: `pages#${user_id}#${id}#${attempt}` });

/** Longer than a run lasts. */
const keptSeconds = 3600;

/** Writes the state of a page. May be repeated. */
export const putProgress = async ({ page, ...run }: PageKey, progress: PageProgress): Promise<void> => {
  const update = new UpdateCommand({
    TableName: table,
    Key: keyOf(run),
    UpdateExpression: 'SET #page = :progress, #ttl = :ttl',
    ExpressionAttributeNames: { '#page': `page${page}`, '#ttl': 'ttl' },
    ExpressionAttributeValues: { ':progress': progress, ':ttl': clock() + keptSeconds },
  });
  await durably('count-in-window', () => dynamo.send(update));
};

/** Returns the written state of a page of the run by its number; undefined if none was written. */
export const readProgress = async (run: Run): Promise<(page: number) => PageProgress | undefined> => {
  const { Item } = await dynamo.send(new GetCommand({ TableName: table, Key: keyOf(run) }));
  return (page) => Item?.[`page${page}`];
};
