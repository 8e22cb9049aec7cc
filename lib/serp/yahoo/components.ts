/**
 * The components of Yahoo's pages, for all devices. Order is precedence: the first component whose root matches and whose `read` finds
 * something claims the item of the list.
 */
import type { Component, Layout } from '../walker.ts';
import { isAdItem, isProductAds, readAds, readProductAds } from './ad.ts';
import {
  isAnswerBox,
  isFeaturedSnippet,
  isQuestions,
  isSpelling,
  readAnswerBox,
  readFeaturedSnippet,
  readQuestions,
  readSpelling,
} from './answer.ts';
import { isAround, isColumn, isItem, isResult, isRight } from './elements.ts';
import { isImages, isStories, readImages, readStories } from './group.ts';
import { isPlaces, readPlaces } from './local-pack.ts';
import { readOrganic } from './organic.ts';
import { isPanel, readPanel } from './panel.ts';
import { isRelated, readRelatedSearches } from './related-search.ts';
import { isVideos, readVideos } from './video.ts';

/** Only web results need `side`: the tests of the other kinds check the column themselves. */
const kinds: Component[] = [
  { type: 'organic', side: 'left', root: isResult, read: readOrganic },
  { type: 'ad', root: isAdItem, read: readAds },
  { type: 'shopping_ad', root: isProductAds, read: readProductAds },
  { type: 'knowledge_panel', root: isPanel, read: readPanel },
  { type: 'people_also_ask', root: isQuestions, read: readQuestions },
  { type: 'video', root: isVideos, read: readVideos },
  { type: 'image', root: isImages, read: readImages },
  { type: 'top_story', root: isStories, read: readStories },
  { type: 'local_pack', root: isPlaces, read: readPlaces },
  { type: 'related_search', root: isRelated, read: readRelatedSearches },
  { type: 'spelling', root: isSpelling, read: readSpelling },
  { type: 'featured_snippet', root: isFeaturedSnippet, read: readFeaturedSnippet },
  { type: 'direct_answer', root: isAnswerBox, read: readAnswerBox },
];

/** All kinds have the same root, an item, so that each element is tested for it once. */
const components: Component[] = kinds.map((kind) => ({
  ...kind,
  root: isItem,
  read: (item, page, root) => (kind.root(item) ? kind.read(item, page, root) : []),
}));

export const layout: Layout = { components, ignored: isAround, column: isColumn, right: isRight };
