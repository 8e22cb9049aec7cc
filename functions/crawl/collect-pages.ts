/** State CollectPages: gets the pages of a search from the upstream provider, judges them and stores them. */
import { step } from '../../lib/api/step.ts';
import { collectPages, unhanded } from '../../lib/crawl/collect-pages.ts';
import { AnsweredSearch } from '../../lib/model/workflow.ts';

export const handler = step(AnsweredSearch, (run) => collectPages(run), unhanded);
