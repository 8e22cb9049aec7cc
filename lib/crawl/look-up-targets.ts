/** Looks up the hidden links of a fetched page over HTTP. */

import { openLinks } from '../fetcher/links.ts';
import type { PageRequest, Route } from '../fetcher/page.ts';
import type { FetchedPage } from '../model/workflow.ts';
import { isBackPressure } from '../runtime/back-pressure.ts';
import { log } from '../runtime/log.ts';
import type { Targets } from '../store/page-file.ts';
import { lookUpLinks, lookUpUntil } from './look-up-links.ts';

type LinkCounts = Pick<FetchedPage, 'links_asked' | 'links_found'>;

/**
 * The numbers of hidden links that were looked up and of targets that were found; none if there was nothing
 * to look up.
 */
export const linkCounts = (hidden: readonly string[], targets: Targets): LinkCounts =>
  hidden.length === 0 ? {} : { links_asked: hidden.length, links_found: Object.keys(targets).length };

/**
 * Looks up hidden links of a page, with the route of its fetch. Returns the targets found. A page is complete
 * without them: if the lookup breaks, the links stay hidden.
 */
export const lookUpTargets = async (
  request: PageRequest,
  hidden: readonly string[],
  route: Route,
  milliseconds: number,
): Promise<Targets> => {
  if (hidden.length === 0) return {};
  try {
    const { ask, close } = await openLinks(request, route);
    return await lookUpLinks(hidden, request.engine, ask, lookUpUntil(milliseconds)).finally(close);
  } catch (error) {
    if (isBackPressure(error)) throw error;
    log.error('lookup of links failed', { engine: request.engine, reason: String(error) });
    return {};
  }
};
