/**
 * The components of Yahoo's pages, for all devices. Order is precedence: the first component whose root
 * matches and whose `read` finds something claims the item of the list.
 */
import type { Test } from '../dom.ts';
import type { Component, Layout } from '../walker.ts';
import { hasAds, hasProductAds, readAds, readProductAds } from './ad.ts';
import {
  hasQuestions,
  isAnswerBox,
  isFeaturedSnippet,
  isSpelling,
  readAnswerBox,
  readFeaturedSnippet,
  readQuestions,
  readSpelling,
} from './answer.ts';
import { hasBusinesses, readBusinesses } from './business.ts';
import {
  isAround,
  isColumn,
  isLeftItem,
  isOtherItem,
  isOtherLeft,
  isResult,
  isRight,
  isRightItem,
} from './elements.ts';
import { hasImages, hasStories, readImages, readStories } from './group.ts';
import { hasPlaces, readPlaces } from './local-pack.ts';
import { readOrganic } from './organic.ts';
import { isEntityHead, isPanel, readEntityHead, readPanel } from './panel.ts';
import { isRelated, readRelatedSearches } from './related-search.ts';
import { hasVideos, readVideos } from './video.ts';

/** A kind of block: the items of lists in which it can be, and the test that shows it. */
type Kind = Pick<Component, 'type' | 'root' | 'read'> & { shows: Test };

/** Neighbours with the same root are tested for it once. */
const kinds: Kind[] = [
  { type: 'organic', root: isLeftItem, shows: isResult, read: readOrganic },
  { type: 'ad', root: isOtherItem, shows: hasAds, read: readAds },
  { type: 'shopping_ad', root: isOtherItem, shows: hasProductAds, read: readProductAds },
  { type: 'knowledge_panel', root: isRightItem, shows: isPanel, read: readPanel },
  { type: 'people_also_ask', root: isOtherLeft, shows: hasQuestions, read: readQuestions },
  { type: 'video', root: isOtherLeft, shows: hasVideos, read: readVideos },
  { type: 'image', root: isOtherLeft, shows: hasImages, read: readImages },
  { type: 'top_story', root: isOtherLeft, shows: hasStories, read: readStories },
  { type: 'local_pack', root: isOtherLeft, shows: hasPlaces, read: readPlaces },
  { type: 'carousel', root: isOtherItem, shows: hasBusinesses, read: readBusinesses },
  { type: 'related_search', root: isOtherItem, shows: isRelated, read: readRelatedSearches },
  { type: 'spelling', root: isOtherLeft, shows: isSpelling, read: readSpelling },
  { type: 'knowledge_panel', root: isOtherLeft, shows: isEntityHead, read: readEntityHead },
  { type: 'featured_snippet', root: isOtherLeft, shows: isFeaturedSnippet, read: readFeaturedSnippet },
  { type: 'direct_answer', root: isOtherLeft, shows: isAnswerBox, read: readAnswerBox },
];

const components: Component[] = kinds.map(({ shows, read, ...kind }) => ({
  ...kind,
  hint: { names: ['li'] },
  read: (item, page, root) => (shows(item) ? read(item, page, root) : []),
}));

export const layout: Layout = { components, ignored: isAround, column: isColumn, right: isRight };
