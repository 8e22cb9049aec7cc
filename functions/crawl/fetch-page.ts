/** State FetchPage: fetches one page over HTTP, judges and stores it, and ends a search that has no other. */
import { step } from '../../lib/api/step.ts';
import { fetchPage } from '../../lib/crawl/fetch-page.ts';
import { PageKey, refusedPage } from '../../lib/model/workflow.ts';

export const handler = step(PageKey, (key) => fetchPage(key), refusedPage);
