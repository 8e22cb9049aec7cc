/** The hidden links of a page that was fetched over HTTP: looked up by the route that it came by. */

import { openLinks } from '../fetcher/links.ts';
import type { AnsweredPage } from '../model/workflow.ts';
import { log } from '../runtime/log.ts';
import { readHtml } from '../store/html.ts';
import { putLinks } from '../store/link-targets.ts';
import { readRow } from '../store/tasks.ts';
import { lookUpLinks } from './look-up-links.ts';

/** Looks up the hidden links of a page of the run that holds the task, and stores their targets beside it. */
export const resolveLinks = async (fetched: AnsweredPage): Promise<AnsweredPage> => {
  const row = await readRow(fetched.user_id, fetched.id);
  const planned = row?.pages.find(({ page }) => page === fetched.page);
  if (!row || !planned || row.attempt !== fetched.attempt) return fetched;

  const { id, attempt, page, fetches } = fetched;
  const { ask, close } = await openLinks({ ...row, url: planned.url }, `${id}-${attempt}-${page}-${fetches}`);
  try {
    const targets = await lookUpLinks(await readHtml(fetched.html), row.device, ask);
    const found = Object.keys(targets).length;
    const asked = fetched.hidden ?? 0;
    log.info('links looked up', { engine: row.kind, page }, { LinksAsked: asked, LinksFound: found });
    if (found === 0) return fetched;
    await putLinks(fetched.html, targets);
    return { ...fetched, links: true };
  } finally {
    await close();
  }
};
