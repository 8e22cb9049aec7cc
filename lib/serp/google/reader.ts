/** Reads a Google result page in any of its layouts, and converts it to result items. */

import type { Device } from '../../model/crawl-request.ts';
import type { ParsedPage } from '../../model/parsed-page.ts';
import { has, hasId, type Test } from '../dom.ts';
import type { EngineReader } from '../engine-reader.ts';
import { type Page, parseHtml, unreadPage } from '../page.ts';
import { identifiedIn, namedIn, once } from '../page-cache.ts';
import { withSearched } from '../searched.ts';
import { readWithin } from '../steps.ts';
import { type Reading, readBy } from '../walker.ts';
import { isAiMode } from './ai-mode.ts';
import { findCaptioned } from './answer.ts';
import { isBasicTitle } from './basic.ts';
import { markBasicTitles } from './basic-titles.ts';
import { basic, desktop, mobile, withTitles } from './components.ts';
import { deferredOverview } from './deferred-overview.ts';
import {
  isEntityData,
  isMobileTitleLink,
  isQuestion,
  isQuestions,
  isRanked,
  isTitleLink,
} from './elements.ts';
import { hiddenLinks, revealLinks } from './hidden-link.ts';
import { type LostLinks, lostLinks } from './lost-results.ts';
import { marketOf } from './market.ts';
import { correctedIn, otherQueryOf } from './own-words.ts';
import { hasNext, hasRecourse, queryOf, searchTimeOf, totalResultsOf } from './page-facts.ts';
import { layoutOf } from './page-layout.ts';
import { nameColumns } from './renamed-columns.ts';
import { levelTitles } from './title-level.ts';
import { findUnmarkedQuestions } from './unmarked-question.ts';
import { unmarkedTitles } from './unmarked-title.ts';
import { unreadBlocksOf } from './unread-blocks.ts';
import { judgePage } from './verdict.ts';

const layouts = { desktop, mobile };

const countOrganic = ({ left }: Reading): number => left.filter(({ type }) => type === 'organic').length;

const isColumnOfResults = hasId('rso');

const isKnownBox: Test = (element) => isQuestions(element) || isQuestion(element) || isEntityData(element);

const isBasic = once(
  ({ root }: Page): boolean => !identifiedIn(root).some(isColumnOfResults) && has(root, isBasicTitle),
);

const isTitleOf: Record<Device, Test> = { desktop: isTitleLink, mobile: isMobileTitleLink };

/**
 * Reads the page with the layout of the device. Google may serve the other one: the reader uses it if the
 * page has no result of the device's layout, and has a sign that it is in the other layout. A
 * reading without results takes longest, so title links are looked for first.
 */
const readAs = (page: Page, device: Device): Reading => {
  const isPlain = isBasic(page);
  findUnmarkedQuestions(page.root, isKnownBox, isPlain);
  findCaptioned(page.root);
  if (isPlain) return readBy(basic, page);
  const isTitle = isTitleOf[device];
  if (namedIn(page.root, 'a').some((link) => isTitle(link) && isRanked(link))) {
    const reading = readBy(layouts[device], page);
    if (countOrganic(reading) > 0) return reading;
  }
  const shown = layoutOf(page) ?? device;
  const other = readBy(layouts[shown], page);
  return shown === device || countOrganic(other) > 0 ? other : readBy(layouts[device], page);
};

const countTexts = ({ left }: Reading): number =>
  left.filter(({ type, snippet }) => type === 'organic' && snippet !== '').length;

/**
 * Reads results whose titles have lost their mark, if the structure shows that they are results: each such
 * link leads out and has an address and a part that can be the title, most of them have a text, and no result
 * is left unread. If no title of the page has a mark, the page must have the sign of the device.
 */
const withUnmarked = (page: Page, device: Device, reading: Reading, { untitled }: LostLinks): Reading => {
  if (untitled.length === 0 || isBasic(page)) return reading;
  if (countOrganic(reading) === 0 && layoutOf(page) !== device) return reading;
  const titles = unmarkedTitles(untitled);
  if (!titles) return reading;
  const whole = readBy(withTitles(layouts[device], titles), page);
  const haveTexts = 2 * (countTexts(whole) - countTexts(reading)) > untitled.length;
  return haveTexts && lostLinks(page, whole).unknown.length === 0 ? whole : reading;
};

const readAll = (page: Page, device: Device, asked: string): ParsedPage => {
  const read = readAs(page, device);
  const lost = lostLinks(page, read);
  const reading = withUnmarked(page, device, read, lost);
  const totalResults = totalResultsOf(page);
  const query = queryOf(page);
  return {
    ...withSearched(reading, query || asked, {
      other: otherQueryOf(page) || correctedIn(page, asked),
      hasRecourse: (typed) => hasRecourse(page, typed),
    }),
    right: reading.right,
    total_results: totalResults,
    search_time: searchTimeOf(totalResults),
    query,
    has_next: countOrganic(reading) > 0 && hasNext(page),
    unread_blocks: unreadBlocksOf(page, reading, reading === read ? lost.unknown : []),
  };
};

/**
 * Saved real pages need 25,000 steps in the median and 158,000 at most. A page that needs more than this is
 * made to keep the reader busy.
 */
export const maxSteps = 600_000;

/**
 * Reads the content of a page. Never throws, whatever the HTML, and never changes the tree. A page that needs
 * more than `steps` has no items and is `unread`. `asked`: the query of the request, for a page without a
 * search box; empty if it is unknown.
 */
export const readPage = (page: Page, device: Device, asked = '', steps = maxSteps): ParsedPage =>
  readWithin(steps, () => readAll(page, device, asked)) ?? unreadPage;

/**
 * Gives a page of an older layout, or one with other names, the marks that the reader knows. Changes the
 * tree, so call it before the page is read.
 */
export const markPage = (page: Page): void => {
  markBasicTitles(page);
  levelTitles(page);
  nameColumns(page);
};

export const reader: EngineReader = {
  open: (body, find) => {
    const page = parseHtml(body);
    if (find) revealLinks(page, find);
    markPage(page);
    // A page with looked-up links already had a verdict. The found targets may cost a few steps more, and
    // must not make it unread.
    const steps = find ? 2 * maxSteps : maxSteps;
    return {
      read: (device, asked) => readPage(page, device, asked, steps),
      judge: (parsed, fetch) => judgePage(page, parsed, fetch),
      market: () => marketOf(page),
      unreadTab: () => (isAiMode(page) ? 'AI Mode' : undefined),
      deferred: (parsed, device) =>
        deferredOverview(page, parsed, (html) => {
          const whole = parseHtml(html);
          markPage(whole);
          return readPage(whole, device);
        }),
    };
  },
  hiddenLinks,
};
