/** State FetchPages: fetches several pages of a run over HTTP, judges them and stores them as one object. */
import { step } from '../../lib/api/step.ts';
import { fetchPages } from '../../lib/crawl/fetch-pages.ts';
import { PageBatch, refusedPage } from '../../lib/model/workflow.ts';

const fetch = (batch: PageBatch) => fetchPages(batch);
const refused = ({ batch }: PageBatch) => batch.map(refusedPage);

export const handler = step(PageBatch, fetch, refused);
