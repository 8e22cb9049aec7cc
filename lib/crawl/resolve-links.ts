/** Looks up the hidden links of a stored page over HTTP, with the proxy session of its last fetch. */

import { openLinks } from '../fetcher/links.ts';
import { remainingMs } from '../model/page-time.ts';
import type { AnsweredPage } from '../model/workflow.ts';
import { log } from '../runtime/log.ts';
import { readHtml } from '../store/html.ts';
import { putLinks } from '../store/link-targets.ts';
import { readHeldPage } from './held-page.ts';
import { lookUpLinks, lookUpUntil } from './look-up-links.ts';

/** Looks up the hidden links of a page of the run that holds the task, and stores their targets. */
export const resolveLinks = async (fetched: AnsweredPage): Promise<AnsweredPage> => {
  const held = await readHeldPage(fetched);
  if (!held) return fetched;
  const { row, url } = held;

  const { id, attempt, page, fetches } = fetched;
  const { ask, close } = await openLinks({ ...row, url }, `${id}-${attempt}-${page}-${fetches}`);
  try {
    const until = lookUpUntil(remainingMs(fetched.spent_ms));
    const targets = await lookUpLinks(await readHtml(fetched.html), row, ask, until);
    const found = Object.keys(targets).length;
    const asked = fetched.hidden ?? 0;
    log.info('links looked up', { engine: row.engine, page }, { LinksAsked: asked, LinksFound: found });
    if (found === 0) return fetched;
    await putLinks(fetched.html, targets);
    return { ...fetched, links: true };
  } finally {
    await close();
  }
};
