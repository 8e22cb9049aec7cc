/** The sites that a project compares, and the keywords in which it compares them. Pure. */
import { isSameSite, uniqueSites } from '../../model/site.ts';
import type { Project, TrackedKeyword } from '../../model/tracking.ts';

/** The sites that a project compares: its own domain first, each once, whatever its spelling. */
export const comparedDomains = ({ domain, competitors }: Project): string[] =>
  uniqueSites([domain, ...competitors]);

/**
 * The keywords in which the project's own domain is compared with its competitors. A keyword may spell the
 * domain in another way.
 */
export const comparedKeywords = (
  keywords: readonly TrackedKeyword[],
  { domain }: Pick<Project, 'domain'>,
): TrackedKeyword[] =>
  keywords.filter((keyword) => keyword.type === 'owner' && isSameSite(keyword.domain, domain));

/** The place of a compared domain in `domains` of a compared keyword, whose own domain is the first. */
export const placeOf = ({ domains }: TrackedKeyword, domain: string, own: string): number =>
  domain === own ? 0 : domains.indexOf(domain);
