/** The overview that the engine has written: its text, its parts, and the pages that it cites. */

import { type Element, isTag } from 'domhandler';
import { find, findAll, has, isInside, type Test } from '../dom.ts';
import { blocks, linesOf, textIn } from '../lines.ts';
import { readBlocks, textOfBlocks } from '../overview-blocks.ts';
import type { Page } from '../page.ts';
import { widthOf } from '../text.ts';
import type { Draft } from '../walker.ts';
import { citedPages } from './cited-pages.ts';
import { isHeading, isPicture } from './elements.ts';
import { leadsOut, targetOf } from './link.ts';

/** The generated text has a language attribute. The messages that the page shows without a text do not. */
const isBody: Test = ({ attribs }) => attribs['data-rl'] !== undefined;

/**
 * The longest paragraph of a text has at least this many characters. The messages that replace a text are
 * shorter.
 */
const minParagraphLength = 120;

const isTitle: Test = (element) =>
  element.name === 'h1' ||
  (isHeading(element) && element.attribs['aria-level'] === '2' && !isInside(element, isBody));

const isButton: Test = ({ name, attribs }) =>
  name === 'button' || attribs.role === 'button' || attribs.role === 'tooltip';

/** A link without text: it covers the box of a source, or follows the button of a citation. */
const isCover: Test = (element) => leadsOut(element) && linesOf(element).length === 0;

/** The card of a source: a box that a link without text covers. */
const isCard: Test = ({ name, children }) =>
  blocks.has(name) && children.some((child) => isTag(child) && isCover(child));

/** A link around a box or a picture is a card, too. */
const isCardLink: Test = (element) =>
  leadsOut(element) && has(element, (part) => blocks.has(part.name) || isPicture(part));

const isOther: Test = (element) =>
  isTitle(element) || isButton(element) || isCard(element) || isCardLink(element);

const marksOf = (page: Page) => ({
  isOther,
  citedBy: (element: Element): string[] | undefined => {
    const id = element.attribs['data-icl-uuid'];
    if (id !== undefined) return (citedPages(page).get(id) ?? []).map(({ url }) => url);
    return isCover(element) ? [targetOf(element.attribs.href)?.url ?? ''] : undefined;
  },
  targetOf: (link: Element) => (isSource(link) ? targetOf(link.attribs.href)?.url : undefined),
});

/** The engine's notes about overviews, which are below all of them. */
const isNote: Test = ({ attribs }) =>
  /^https:\/\/(?:support\.google\.com\/websearch\?p=|policies\.google\.com\/)/.test(attribs.href ?? '');

const isSource: Test = (link) => leadsOut(link) && !isNote(link);

/**
 * Address → title of the sources: of those that a text cites, and of the links in the box. A hidden link with
 * the title of a cited page is the card of that page.
 */
const titlesIn = (block: Element, cited: Map<string, string>): Map<string, string> => {
  const found = new Map<string, string>();
  const known = new Set(cited.values());
  for (const link of findAll(block, isSource)) {
    const target = targetOf(link.attribs.href);
    const url = target?.url ?? '';
    const title =
      cited.get(url) || textIn(link, isHeading) || linesOf(link)[0] || (link.attribs['aria-label'] ?? '');
    if (target?.url_resolution === 'opaque' && known.has(title)) continue;
    if (!found.get(url)) found.set(url, title);
  }
  return found;
};

const citedTitles = (page: Page): Map<string, string> =>
  new Map([...citedPages(page).values()].flat().flatMap(({ url, title }) => (title ? [[url, title]] : [])));

/** Without a marked body, a text is what has a paragraph. */
const hasText = (block: Element): boolean =>
  find(block, isBody) !== undefined ||
  linesOf(block, (element) => isTitle(element) || element.name === 'button').some(
    (line) => widthOf(line) >= minParagraphLength,
  );

/**
 * An overview with a title and no text is `deferred`: the engine is still writing the text. An empty box is
 * no result.
 */
export const readOverview = (block: Element, page: Page): Draft[] => {
  const title = textIn(block, (element) => element.name === 'h1' || isHeading(element));
  const cited = citedTitles(page);
  const read = hasText(block)
    ? readBlocks(find(block, isBody) ?? block, marksOf(page), titlesIn(block, cited), cited)
    : { blocks: [], sources: [] };
  if (read.blocks.length === 0) return title === '' ? [] : [{ title, state: 'deferred' }];
  return [
    {
      title,
      snippet: textOfBlocks(read.blocks),
      state: 'present',
      ...(read.sources.length > 0 && { sources: read.sources }),
      blocks: read.blocks,
    },
  ];
};
