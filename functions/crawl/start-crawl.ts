/** Consumes the crawl queue: runs the `crawl` machine for each task and waits for the end of the run. */
import { consumer } from '../../lib/api/consumer.ts';
import { postponeUnread, runCrawl } from '../../lib/crawl/run-crawl.ts';
import { CrawlMessage } from '../../lib/model/workflow.ts';

export const handler = consumer(
  CrawlMessage,
  (message, record) => runCrawl(message, Number(record.attributes.ApproximateReceiveCount)),
  postponeUnread,
);
