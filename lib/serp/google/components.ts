/**
 * The components of Google's pages. Order is precedence: the first component whose root matches and whose
 * `read` finds something claims the block. The desktop and mobile layouts differ only in the markup of a web
 * result.
 */

import type { Element } from 'domhandler';
import { has, isInside, isLink, type Test } from '../dom.ts';
import { mark } from '../marks.ts';
import { once } from '../page-cache.ts';
import type { Component, Hint, Layout } from '../walker.ts';
import {
  isAd,
  isAdItem,
  isAdLink,
  isPaidCard,
  isServiceAd,
  isShoppingAd,
  readAd,
  readPaidCard,
  readServiceAd,
  readShoppingAd,
} from './ad.ts';
import {
  isAnswerBox,
  isFeaturedSnippet,
  isSpelling,
  readAnswerBox,
  readFeaturedSnippet,
  readQuestion,
  readSpelling,
} from './answer.ts';
import {
  isAnswerSource,
  isBasicAd,
  isBasicCard,
  isBasicTerm,
  isInLink,
  isMoreForQuestion,
  readBasicPanel,
  readBasicPlaces,
  readBasicQuestion,
  readBasicRow,
  readBasicSnippet,
} from './basic.ts';
import {
  isAround,
  isColumn,
  isEntityData,
  isH3,
  isHeading,
  isMarkedQuestion,
  isMobileTitleLink,
  isOverview,
  isRanked,
  isRight,
  isTitleLink,
} from './elements.ts';
import {
  isEvent,
  isProduct,
  readEvent,
  readEvents,
  readFlights,
  readHotels,
  readJobs,
  readProduct,
} from './engine-cards.ts';
import { isEntityLink, readBasicEntityCards, readEntityCards } from './entity-card.ts';
import { readCards } from './group.ts';
import { readImages } from './image.ts';
import { readLocalPack } from './local-pack.ts';
import { readOrganic } from './organic.ts';
import { readOverview } from './overview.ts';
import { isPanelTitle, isUnmarkedTitle, readPanel, readUnmarkedPanel } from './panel.ts';
import { isPlaceAd, readPlaceAd } from './place-ad.ts';
import { isOffers, readOffers } from './product-panel.ts';
import { isRefinement, readRefinements } from './refinements.ts';
import { isTerm, isTermBelow, readRelatedSearches } from './related-search.ts';
import { isShowtimes, readShowtimes } from './showtimes.ts';
import { isMatch, readMatch } from './sports.ts';
import { isTopic, readTopic } from './things-to-know.ts';
import {
  isCalculated,
  isConverterList,
  isEqualsKey,
  readCalculated,
  readCalculator,
  readConverter,
} from './tool-box.ts';
import { isUnmarkedQuestion } from './unmarked-question.ts';

/**
 * The caption of a block: a heading of the second level, or an `h2` or `h3` that is not the title of a
 * result.
 */
const isCaption: Test = (element) =>
  isHeading(element)
    ? (element.attribs['aria-level'] ?? '2') === '2' && !isInside(element, isEntityData)
    : (element.name === 'h2' || element.name === 'h3') &&
      !has(element, ({ name }) => name === 'a') &&
      !isInside(element, isEntityData);

const ofLink = { names: ['a'] };
const ofData = { marks: mark.data };

const isContent: Test = (element) => isLink(element) || element.attribs['data-docid'] !== undefined;

const hasContent = once((box: Element) => has(box, isContent));

/** A block under a caption. A box without a link or a picture belongs to the caption alone. */
const section = (
  type: Component['type'],
  read: Component['read'],
  root = isCaption,
  hint: Hint = { names: ['h2', 'h3'], marks: mark.role },
): Component => ({
  type,
  hint,
  side: 'left',
  root,
  reach: 'section',
  read: (box, page, caption) => (hasContent(box) ? read(box, page, caption) : []),
});

const beforeOrganic: Component[] = [
  { type: 'ad', hint: ofData, root: isAd, read: readAd },
  { type: 'ad', side: 'left', hint: { names: ['li'] }, root: isAdItem, read: readAd },
  { type: 'shopping_ad', hint: { marks: mark.data | mark.class }, root: isShoppingAd, read: readShoppingAd },
  { type: 'shopping_ad', hint: ofLink, root: isPaidCard, read: readShoppingAd },
  { type: 'ad', hint: ofLink, root: isPaidCard, read: readPaidCard },
  { type: 'ad', side: 'left', hint: ofLink, root: isAdLink, reach: 'around', read: readAd },
  { type: 'ad', side: 'left', hint: ofLink, root: isServiceAd, reach: 'around', read: readServiceAd },
  { type: 'ad', side: 'left', hint: ofLink, root: isPlaceAd, isInner: true, read: readPlaceAd },
  {
    type: 'ai_overview',
    side: 'left',
    hint: { marks: mark.id | mark.data },
    root: isOverview,
    read: readOverview,
  },
  { type: 'things_to_know', hint: ofData, root: isTopic, read: readTopic },
  {
    type: 'people_also_ask',
    side: 'left',
    hint: { marks: mark.data | mark.class },
    root: isMarkedQuestion,
    read: readQuestion,
  },
  {
    type: 'people_also_ask',
    side: 'left',
    hint: { marks: mark.row },
    root: isUnmarkedQuestion,
    read: readQuestion,
  },
  {
    type: 'featured_snippet',
    side: 'left',
    hint: { names: ['block-component'], marks: mark.class | mark.captioned },
    root: isFeaturedSnippet,
    read: readFeaturedSnippet,
  },
  { type: 'knowledge_panel', hint: ofData, root: isPanelTitle, read: readPanel },
  {
    type: 'knowledge_panel',
    side: 'right',
    hint: { names: ['h2'], marks: mark.role },
    root: isUnmarkedTitle,
    read: readUnmarkedPanel,
  },
  { type: 'product_panel', hint: ofData, root: isOffers, read: readOffers },
  {
    type: 'product',
    side: 'left',
    hint: { names: ['product-viewer-entrypoint'], marks: mark.data },
    root: isProduct,
    read: readProduct,
  },
  { type: 'spelling', hint: ofLink, root: isSpelling, read: readSpelling },
  {
    type: 'refinements',
    side: 'left',
    hint: ofLink,
    root: isRefinement,
    isInner: true,
    read: readRefinements,
  },
];

const afterOrganic: Component[] = [
  {
    type: 'direct_answer',
    side: 'left',
    hint: { marks: mark.id | mark.class | mark.data },
    root: isAnswerBox,
    read: readAnswerBox,
  },
  {
    type: 'direct_answer',
    side: 'left',
    hint: { names: ['button'], marks: mark.role },
    root: isEqualsKey,
    read: readCalculator,
  },
  { type: 'direct_answer', side: 'left', hint: { marks: mark.id }, root: isCalculated, read: readCalculated },
  {
    type: 'direct_answer',
    side: 'left',
    hint: { names: ['select'] },
    root: isConverterList,
    read: readConverter,
  },
  { type: 'carousel', side: 'left', hint: ofLink, root: isEntityLink, isInner: true, read: readEntityCards },
  { type: 'sports', side: 'left', hint: { marks: mark.data | mark.class }, root: isMatch, read: readMatch },
  { type: 'showtimes', side: 'left', hint: { marks: mark.class }, root: isShowtimes, read: readShowtimes },
  { type: 'event', hint: { marks: mark.data | mark.role }, root: isEvent, reach: 'around', read: readEvent },
  section('related_search', readRelatedSearches(isTerm)),
  section('related_search', readRelatedSearches(isTerm), isTermBelow, ofLink),
  section('hotel', readHotels),
  section('flight', readFlights),
  section('job', readJobs),
  section('event', readEvents),
  section('local_pack', readLocalPack),
  section('image', readImages),
  section('top_story', readCards('top_story')),
  section('post', readCards('post')),
  section('video', readCards('video')),
  section('short', readCards('short')),
  section('discussion', readCards('discussion')),
  section('recipe', readCards('recipe')),
  section('app', readCards('app')),
  section('book', readCards('book')),
  section('carousel', readCards('carousel')),
];

const layout = (organic: Component): Layout => ({
  components: [...beforeOrganic, organic, ...afterOrganic],
  ignored: isAround,
  column: isColumn,
  right: isRight,
});

/** The link of a web result contains the title as `h3`. */
export const desktop = layout({
  type: 'organic',
  side: 'left',
  hint: ofLink,
  root: (element) => isTitleLink(element) && isRanked(element),
  reach: 'around',
  read: readOrganic(isH3),
});

export const mobile = layout({
  type: 'organic',
  side: 'left',
  hint: ofLink,
  root: (element) => isMobileTitleLink(element) && isRanked(element),
  reach: 'around',
  read: readOrganic(isHeading),
});

/** Pages for browsers without scripts have completely different markup. */
export const basic: Layout = {
  ignored: isAround,
  column: isColumn,
  right: isRight,
  components: [
    { type: 'ad', hint: ofData, root: isBasicAd, reach: 'around', read: readAd },
    { type: 'organic', hint: ofLink, root: isTitleLink, reach: 'around', read: readOrganic(isH3) },
    { type: 'people_also_ask', hint: { marks: mark.row }, root: isUnmarkedQuestion, read: readBasicRow },
    { type: 'people_also_ask', hint: ofLink, root: isMoreForQuestion, read: readBasicQuestion },
    { type: 'featured_snippet', hint: ofLink, root: isAnswerSource, read: readBasicSnippet },
    { type: 'spelling', hint: ofLink, root: isSpelling, read: readSpelling },
    { type: 'carousel', hint: ofLink, root: isEntityLink, isInner: true, read: readBasicEntityCards },
    section('local_pack', readBasicPlaces),
    section('top_story', readCards('top_story'), isBasicCard, ofLink),
    section('video', readCards('video'), isBasicCard, ofLink),
    section('knowledge_panel', readBasicPanel, (element) => isCaption(element) && !isInLink(element)),
    section('related_search', readRelatedSearches(isBasicTerm), isBasicTerm, ofLink),
  ],
};

/** The layout with further results: links whose title is the given element. */
export const withTitles = (own: Layout, titles: Map<Element, Element>): Layout => {
  const found = new Set(titles.values());
  const organic: Component = {
    type: 'organic',
    side: 'left',
    root: (element) => titles.has(element),
    reach: 'around',
    read: readOrganic((element) => found.has(element)),
  };
  return { ...own, components: [...beforeOrganic, organic, ...own.components.slice(beforeOrganic.length)] };
};
