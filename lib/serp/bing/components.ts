/**
 * The components of Bing's pages, for all devices. Order is precedence: the first component whose root
 * matches and whose `read` finds something claims the item of the list.
 */
import type { Element } from 'domhandler';
import type { Test } from '../dom.ts';
import type { Page } from '../page.ts';
import type { Component, Layout } from '../walker.ts';
import { isAdItem, isProductAds, readAds, readProductAds } from './ad.ts';
import {
  isAnswerBox,
  isFeaturedSnippet,
  isOpeningList,
  isQuestions,
  isSpelling,
  readAnswerBox,
  readFeaturedSnippet,
  readOpeningList,
  readQuestions,
  readSpelling,
} from './answer.ts';
import { carousel, flights, jobs, products } from './cards.ts';
import { isAround, isColumn, isResult, isRight } from './elements.ts';
import { isImages, isStories, readImages, readStories } from './group.ts';
import { isHotels, isPlaces, readPlaces } from './local-pack.ts';
import { readOrganic } from './organic.ts';
import { isOverview, readOverview } from './overview.ts';
import { isPanel, readPanel } from './panel.ts';
import { isRelated, readRelatedSearches } from './related-search.ts';
import { isShortVideo, isVideo, isVideos, readVideo } from './video.ts';

/**
 * Blocks that fill their item. A block of videos has two kinds of results, so each of its cards is a block.
 */
const items: Component[] = [
  { type: 'organic', side: 'left', root: isResult, read: readOrganic },
  { type: 'ad', root: isAdItem, read: readAds },
  { type: 'shopping_ad', root: isProductAds, read: readProductAds },
  { type: 'knowledge_panel', root: isPanel, read: readPanel },
  // An overview may end with suggestions for the next question.
  { type: 'ai_overview', side: 'left', root: isOverview, read: readOverview },
  { type: 'people_also_ask', side: 'left', root: isQuestions, read: readQuestions },
  { type: 'hotel', side: 'left', root: isHotels, read: readPlaces },
  { type: 'local_pack', side: 'left', root: isPlaces, read: readPlaces },
  { type: 'top_story', side: 'left', root: isStories, read: readStories },
  { type: 'image', side: 'left', root: isImages, read: readImages },
  { type: 'related_search', root: isRelated, read: readRelatedSearches },
  { type: 'spelling', side: 'left', root: isSpelling, read: readSpelling },
  // After the blocks with titles and links of their own, which may look like questions without their classes.
  { type: 'people_also_ask', side: 'left', root: isOpeningList, read: readOpeningList },
  { type: 'job', side: 'left', ...jobs },
  { type: 'product', side: 'left', ...products },
  { type: 'flight', side: 'left', ...flights },
  { type: 'featured_snippet', side: 'left', root: isFeaturedSnippet, read: readFeaturedSnippet },
  { type: 'direct_answer', side: 'left', root: isAnswerBox, read: readAnswerBox },
  // Last: any list of links to other sites.
  { type: 'carousel', side: 'left', ...carousel },
];

/** All items share this root, so that the walk tests it once for each element. */
const isBlock: Test = (element) => element.name === 'li' && !isVideos(element);

const ofItem = { names: ['li'] };

const components: Component[] = [
  { type: 'short', side: 'left', root: isShortVideo, read: readVideo },
  { type: 'video', side: 'left', root: isVideo, read: readVideo },
  ...items.map(({ root, read, ...one }) => ({
    ...one,
    hint: ofItem,
    root: isBlock,
    read: (block: Element, page: Page) => (root(block) ? read(block, page, block) : []),
  })),
];

export const layout: Layout = { components, ignored: isAround, column: isColumn, right: isRight };
