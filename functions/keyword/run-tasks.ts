/** Consumes the keyword queue: asks the source about the keywords of a batch, and ends their tasks. */
import { batchConsumer } from '../../lib/api/batch-consumer.ts';
import { postponeUnread, runTasks } from '../../lib/keyword/ads/run-tasks.ts';
import { KeywordMessage } from '../../lib/model/workflow.ts';

export const handler = batchConsumer(KeywordMessage, (batch) => runTasks(batch), postponeUnread);
