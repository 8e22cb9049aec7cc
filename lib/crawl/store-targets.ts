/** Looks up the hidden links of a fetched page over HTTP, and stores their targets. */
import type { PageRequest, Route } from '../fetcher/http.ts';
import { openLinks } from '../fetcher/links.ts';
import type { FetchedPage } from '../model/workflow.ts';
import { isBackPressure } from '../runtime/back-pressure.ts';
import { log } from '../runtime/log.ts';
import { putLinks } from '../store/link-targets.ts';
import { lookUpLinks, lookUpUntil } from './look-up-links.ts';

type LinkFields = Pick<FetchedPage, 'links' | 'links_asked' | 'links_found'>;

/** The fields of a page with so many hidden links, of which so many targets are stored. */
export const linkFields = (asked: number, found: number): LinkFields => ({
  ...(found > 0 && { links: true }),
  links_asked: asked,
  links_found: found,
});

/**
 * Looks up hidden links of a page, with the route of its fetch, and stores the targets. Returns whether one was found. A page is
 * complete without them: if the lookup breaks, the links stay hidden.
 */
export const storeTargets = async (
  request: PageRequest,
  html: string,
  hidden: readonly string[],
  route: Route,
  milliseconds: number,
): Promise<LinkFields> => {
  if (hidden.length === 0) return {};
  try {
    const { ask, close } = await openLinks(request, route);
    const targets = await lookUpLinks(hidden, request.engine, ask, lookUpUntil(milliseconds)).finally(close);
    const found = Object.keys(targets).length;
    if (found > 0) await putLinks(html, targets);
    return linkFields(hidden.length, found);
  } catch (error) {
    if (isBackPressure(error)) throw error;
    log.error('lookup of links failed', { engine: request.engine, reason: String(error) });
    return {};
  }
};
