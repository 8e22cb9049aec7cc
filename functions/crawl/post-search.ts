/** State PostSearch: hands a search to the upstream provider. */
import { step } from '../../lib/api/step.ts';
import { postSearch, unhanded } from '../../lib/crawl/post-search.ts';
import { HandedSearch } from '../../lib/model/workflow.ts';

export const handler = step(HandedSearch, (run) => postSearch(run), unhanded);
