/**
 * Fixtures for tests of a single step in the life of a task: accepted tasks in real tables, and queues that
 * accept every message.
 */
import { SendMessageBatchCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { afterAll, beforeEach, vi } from 'vitest';
import { GoogleCrawlRequest } from '../../../lib/model/crawl-request.ts';
import type { TaskKey } from '../../../lib/model/workflow.ts';
import type { SerpRow } from '../../../lib/store/task-row.ts';
import { startTables } from '../../tables.ts';
import { accountOf } from '../account.ts';

// The stores read their names from the environment when they are imported.
export const tables = await startTables();
const { readRow } = await import('../../../lib/store/tasks.ts');
const { createV2Tasks } = await import('../../../lib/crawl/create.ts');
afterAll(() => tables.stop());
const written: string[] = [];
beforeEach(() => {
  tables.queue.resetHistory();
  written.length = 0;
  vi.spyOn(process.stdout, 'write').mockImplementation((line) => written.push(String(line)) > 0);
});

/** The log lines of the test so far that have this message. */
export const logged = (message: string) =>
  written.map((line) => JSON.parse(line)).filter((line) => line.message === message);

/** Creates a task with a webhook, and clears the record of its crawl message. */
export const givenTask = async (
  now: number,
  fields: Record<string, unknown> = {},
  userId = 1,
): Promise<TaskKey> => {
  const request = v.parse(GoogleCrawlRequest, {
    keyword: 'tea',
    location_name: 'Canada',
    iso_code: 'CA',
    postback_url: 'https://receiver.example/hook',
    ...fields,
  });
  const [task] = await createV2Tasks(accountOf(userId), [request], 'https://here.example', now);
  tables.queue.resetHistory();
  return { user_id: userId, id: task?.id ?? 0 };
};

/** The row of a task, even if the task is past its `ttl`. */
export const rowOf = async ({ user_id, id }: TaskKey): Promise<SerpRow> => {
  const row = await readRow(user_id, id, 0);
  if (!row) throw new Error('The row is gone');
  return row;
};

/** Bodies of the messages that were sent to a queue in batches. */
const sentInBatches = (queue: string | undefined): unknown[] =>
  tables.queue
    .commandCalls(SendMessageBatchCommand)
    .filter(({ args: [{ input }] }) => input.QueueUrl === queue)
    .flatMap(({ args: [{ input }] }) =>
      (input.Entries ?? []).map(({ MessageBody = '' }) => JSON.parse(MessageBody)),
    );

/** Bodies of the messages on the crawl queue since the task was created. */
export const queuedCrawls = (): unknown[] => sentInBatches(process.env.CRAWL_QUEUE_URL);

/** Bodies of the messages on the postback queue since the task was created. */
export const queuedDeliveries = (): unknown[] => [
  ...tables.queue
    .commandCalls(SendMessageCommand)
    .filter(({ args: [{ input }] }) => input.QueueUrl === process.env.POSTBACK_QUEUE_URL)
    .map(({ args: [{ input }] }) => JSON.parse(input.MessageBody ?? '')),
  ...sentInBatches(process.env.POSTBACK_QUEUE_URL),
];
