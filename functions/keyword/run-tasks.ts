/** Consumes the keyword queue: asks the source about the keywords of a batch, and ends their tasks. */
import { batchConsumer } from '../../lib/api/batch-consumer.ts';
import { runTasks } from '../../lib/keyword/ads/run-tasks.ts';
import { KeywordMessage } from '../../lib/model/workflow.ts';
import { queueUnread } from '../../lib/task/queue-unread.ts';

export const handler = batchConsumer(
  KeywordMessage,
  (batch) => runTasks(batch),
  (later) => queueUnread('keyword', later),
);
