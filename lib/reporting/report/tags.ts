/** The figures of a project by tag. Pure. */
import { tagKey } from '../../model/tag.ts';
import type { Project, TrackedKeyword } from '../../model/tracking.ts';
import type { TagList } from '../../model/visibility.ts';
import { clickRatesOf } from './click-rate.ts';
import { comparedKeywords } from './compared-sites.ts';
import { domainOf, weigh } from './visibility.ts';

/** The keywords that have a tag. `key`: the tag as `tagKey` returns it. */
export const withTag = (keywords: readonly TrackedKeyword[], key: string): TrackedKeyword[] =>
  keywords.filter(({ tags = [] }) => tags.some((tag) => tagKey(tag) === key));

/** Keywords by the key of their tags, with the spelling that came first. Without a tag: null. */
const groupsOf = (keywords: readonly TrackedKeyword[]) => {
  const groups = new Map<string | null, { tag: string | null; keywords: TrackedKeyword[] }>();
  for (const keyword of keywords) {
    const { tags = [] } = keyword;
    for (const tag of tags.length > 0 ? tags : [null]) {
      const key = tag === null ? null : tagKey(tag);
      const group = groups.get(key) ?? { tag, keywords: [] };
      group.keywords.push(keyword);
      groups.set(key, group);
    }
  }
  return [...groups.values()];
};

/** The figures of the project's domain for each tag, the tag with most keywords first. */
export const tagFiguresOf = (
  project: Project,
  all: readonly TrackedKeyword[],
  now: number,
): TagList['data'] => {
  // An unknown volume is the same one for every tag.
  const basis = {
    weights: weigh(comparedKeywords(all, project)),
    rates: clickRatesOf(project),
    own: project.domain,
    now,
  };
  return groupsOf(all)
    .toSorted((a, b) => b.keywords.length - a.keywords.length)
    .map(({ tag, keywords }) => {
      const { domain: _, ...figures } = domainOf(project.domain, comparedKeywords(keywords, project), basis);
      return { tag, all: keywords.length, ...figures };
    });
};
