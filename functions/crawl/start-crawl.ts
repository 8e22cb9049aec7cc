/** Consumes the crawl queue: runs the `crawl` machine for each task and waits for the end of the run. */
import { consumer } from '../../lib/api/consumer.ts';
import { runCrawl } from '../../lib/crawl/run-crawl.ts';
import { CrawlMessage } from '../../lib/model/workflow.ts';
import { queueUnread } from '../../lib/task/queue-unread.ts';

export const handler = consumer(
  CrawlMessage,
  (message, record) => runCrawl(message, Number(record.attributes.ApproximateReceiveCount)),
  (later) => queueUnread('serp', later),
);
