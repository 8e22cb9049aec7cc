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
import { isAround, isColumn, isResult, isRight } from './elements.ts';
import { isImages, isStories, readImages, readStories } from './group.ts';
import { isPlaces, readPlaces } from './local-pack.ts';
import { readOrganic } from './organic.ts';
import { isPanel, readPanel } from './panel.ts';
import { isRelated, readRelatedSearches } from './related-search.ts';
import { isVideos, readVideos } from './video.ts';

const components: Component[] = [
  { type: 'organic', side: 'left', root: isResult, read: readOrganic },
  { type: 'ad', root: isAdItem, read: readAds },
  { type: 'shopping_ad', root: isProductAds, read: readProductAds },
  { type: 'knowledge_panel', side: 'right', root: isPanel, read: readPanel },
  { type: 'people_also_ask', side: 'left', root: isQuestions, read: readQuestions },
  { type: 'video', side: 'left', root: isVideos, read: readVideos },
  { type: 'image', side: 'left', root: isImages, read: readImages },
  { type: 'top_story', side: 'left', root: isStories, read: readStories },
  { type: 'local_pack', side: 'left', root: isPlaces, read: readPlaces },
  { type: 'related_search', root: isRelated, read: readRelatedSearches },
  { type: 'spelling', side: 'left', root: isSpelling, read: readSpelling },
  { type: 'featured_snippet', side: 'left', root: isFeaturedSnippet, read: readFeaturedSnippet },
  { type: 'direct_answer', side: 'left', root: isAnswerBox, read: readAnswerBox },
];

export const layout: Layout = { components, ignored: isAround, column: isColumn, right: isRight };
