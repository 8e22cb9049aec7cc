/** The pages of a project's domain in the newest results of its keywords. */
import type { CompetingPages, LandingPages, LandingPagesQuery } from '../../model/own-pages.ts';
import { notFound, type OwnUrl, type TrackedKeyword } from '../../model/tracking.ts';
import type { Account } from '../../model/user.ts';
import { findProject, keywordsOf } from '../find.ts';
import { comparedKeywords } from '../report/compared-sites.ts';
import { locationOf, ownRank } from '../report/show-keyword.ts';

type Page = { position: number; url: string };

/** All pages of a domain: those that are stored if there are several, otherwise the one that was found. */
export const ownPagesOf = (stored: readonly OwnUrl[] | undefined, best: Page): Page[] => {
  if (stored) return stored.map(([position, url]) => ({ position, url }));
  return best.position === notFound || best.url === '' ? [] : [{ position: best.position, url: best.url }];
};

const pagesOf = (keyword: TrackedKeyword): Page[] =>
  ownPagesOf(keyword.own_urls, ownRank(keyword).current ?? { position: notFound, url: '' });

const named = (keyword: TrackedKeyword) => ({
  keyword_id: keyword.keyword_id,
  keyword: keyword.keyword,
  device: keyword.device,
  location: locationOf(keyword),
});

/** Keywords of the type `owner`, which follow the domain of the project. */
const ownKeywords = async (user: Account, projectId: number): Promise<TrackedKeyword[]> => {
  const project = await findProject(user, projectId);
  return comparedKeywords(await keywordsOf(projectId), project);
};

/** Keywords that a list of all pages shows of each. */
const shownKeywords = 10;

/**
 * The pages of the domain that rank, each with its keywords.
 * @throws HttpError 404 if the user has no such project.
 */
export const listLandingPages = async (
  user: Account,
  projectId: number,
  { url: wanted, page, per_page }: LandingPagesQuery,
): Promise<LandingPages> => {
  const pages = new Map<string, LandingPages['data'][number]['keywords']>();
  for (const keyword of await ownKeywords(user, projectId)) {
    for (const [n, { url, position }] of pagesOf(keyword).entries()) {
      if (wanted && url !== wanted) continue;
      const keywords = pages.get(url) ?? [];
      // The same page can be in a result twice.
      if (keywords.at(-1)?.keyword_id !== keyword.keyword_id) {
        keywords.push({ ...named(keyword), position, is_best: n === 0 });
      }
      pages.set(url, keywords);
    }
  }
  const sorted = [...pages].toSorted(([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1));
  return {
    data: sorted.slice((page - 1) * per_page, page * per_page).map(([url, keywords]) => {
      const ordered = keywords.toSorted((a, b) => a.position - b.position || a.keyword_id - b.keyword_id);
      return {
        url,
        keywords_count: ordered.length,
        best_position: ordered[0]?.position ?? notFound,
        keywords: wanted ? ordered : ordered.slice(0, shownKeywords),
      };
    }),
    total: sorted.length,
  };
};

/** The most keywords of a response. */
const maxCompeting = 1000;

/**
 * The keywords in whose newest results more than one page of the domain is.
 * @throws HttpError 404 if the user has no such project.
 */
export const listCompetingPages = async (user: Account, projectId: number): Promise<CompetingPages> => {
  const competing = (await ownKeywords(user, projectId)).flatMap((keyword) => {
    const pages = pagesOf(keyword);
    const isSeveral = new Set(pages.map(({ url }) => url)).size > 1;
    return isSeveral ? [{ ...named(keyword), own_urls: pages }] : [];
  });
  const sorted = competing.toSorted(
    (a, b) => b.own_urls.length - a.own_urls.length || a.keyword_id - b.keyword_id,
  );
  return { data: sorted.slice(0, maxCompeting), total: sorted.length };
};
