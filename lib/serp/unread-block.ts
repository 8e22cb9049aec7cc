/** Blocks that no component has read: their headings, and what they look like. */

import type { Element } from 'domhandler';
import type { ItemType, RawResult, UnreadBlock } from '../model/result.ts';
import { saysAd, saysOverview } from './captions.ts';
import { find, findAll, has, isInside, type Test } from './dom.ts';
import { isHidden, linesOf, textOf } from './lines.ts';
import { mark, mayHave } from './marks.ts';
import { once } from './page-cache.ts';
import { widthOf } from './text.ts';

/** How an engine tells what a block looks like. */
export type Signs = {
  /** A link or a box of something paid. */
  isPaid: Test;
  /** A link to the engine's map or to its list of places. */
  isPlaces: Test;
  /** A link out of the search. */
  leadsOut: Test;
};

const headings = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6']);

const isHeading: Test = (element) =>
  headings.has(element.name) || (mayHave(element, mark.role) && element.attribs.role === 'heading');

/** A heading is cut after this many characters. */
const maxHeading = 120;

const isFolded: Test = (element) =>
  mayHave(element, mark.aria) && element.attribs['aria-expanded'] !== undefined;

const endsAsQuestion = (text: string): boolean => text.length <= 300 && /[?？؟;]$/.test(text);

const minQuestions = 2;

/** Several rows that a click opens, or several lines, end with a question mark. */
const asksQuestions = (block: Element, lines: string[]): boolean =>
  lines.filter((line) => /[?？؟]$/.test(line)).length >= minQuestions ||
  findAll(block, isFolded).filter((row) => endsAsQuestion(textOf(row))).length >= minQuestions;

/** A generated answer has a paragraph of this length below its caption, and names several pages. */
const minParagraph = 120;
const minSources = 2;

/** The caption may follow the tabs of the page, if the block is the box around both. */
const maxLinesAbove = 12;

const isGenerated = (block: Element, lines: string[], leadsOut: Test): boolean => {
  const at = lines.slice(0, maxLinesAbove).findIndex(saysOverview);
  return (
    at >= 0 &&
    lines.some((line, index) => index > at && widthOf(line) >= minParagraph) &&
    findAll(block, leadsOut).length >= minSources
  );
};

/** Whether a block has the caption of a generated answer, whose text a script may load later. */
export const hasCaptionOfOverview = once((block: Element): boolean =>
  has(block, (element) => isHeading(element) && saysOverview(textOf(element)) && !isSilent(element)),
);

const isSilent: Test = (element) => isHidden(element) || isInside(element, isHidden);

/** Ratings, numbers of streets, times and telephones are facts of places. */
const minFacts = 2;

/** The link of something paid contains its title or a picture. Links to searches for a term do not. */
const isOffer =
  ({ leadsOut }: Signs): Test =>
  (link) =>
    leadsOut(link) && find(link, (part) => isHeading(part) || part.name === 'img') !== undefined;

const lookOf = (block: Element, lines: string[], signs: Signs): UnreadBlock['looks_like'] => {
  if (find(block, signs.isPaid) || signs.isPaid(block)) return 'ads';
  if (lines.slice(0, 2).some(saysAd) && find(block, isOffer(signs))) return 'ads';
  if (hasCaptionOfOverview(block) || isGenerated(block, lines, signs.leadsOut)) return 'overview';
  if (asksQuestions(block, lines)) return 'questions';
  if (lines.filter((line) => /\p{Nd}/u.test(line)).length >= minFacts && find(block, signs.isPlaces))
    return 'places';
  return undefined;
};

/**
 * The kind that a block of such a look has. If the page has items of it, the block is a second one, such as
 * filters. Ads are in several blocks.
 */
const readAs: Partial<Record<NonNullable<UnreadBlock['looks_like']>, ItemType>> = {
  places: 'local_pack',
  questions: 'people_also_ask',
  overview: 'ai_overview',
};

/** What a block looks like, if the page has no items of the kind that such a block has. */
export const looksLike = (
  block: Element,
  signs: Signs,
  { left, right }: RawResult,
  lines = linesOf(block),
): UnreadBlock['looks_like'] => {
  const look = lookOf(block, lines, signs);
  const isRead = [...left, ...right].some(({ type }) => look !== undefined && type === readAs[look]);
  return isRead ? undefined : look;
};

/** What the page tells of a block that was not read. */
export const describeBlock = (block: Element, signs: Signs, result: RawResult): UnreadBlock => {
  const lines = linesOf(block);
  const heading = findAll(block, isHeading)
    .filter((element) => !isSilent(element))
    .map((element) => textOf(element))
    .find((text) => text !== '');
  const looks_like = looksLike(block, signs, result, lines);
  return { heading: (heading ?? lines[0] ?? '').slice(0, maxHeading), ...(looks_like && { looks_like }) };
};
