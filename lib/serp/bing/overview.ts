/** The overview that the engine has written, with the pages that it cites: Copilot's answer, too. */

import type { Element } from 'domhandler';
import type { OverviewBlock } from '../../model/overview.ts';
import { saysOverview } from '../captions.ts';
import {
  ancestors,
  find,
  findAll,
  has,
  hasClass,
  hasId,
  isInside,
  isLink,
  isNamed,
  type Test,
} from '../dom.ts';
import { blocks, linesOf, textIn, textOf } from '../lines.ts';
import { readBlocks, textOfBlocks } from '../overview-blocks.ts';
import type { Page } from '../page.ts';
import { widthOf } from '../text.ts';
import type { Draft } from '../walker.ts';
import { firstOfPage, isCite, isFolded, isH2, isOtherItem, isRight, partsOf } from './elements.ts';
import { leadsOut, targetOfLink } from './link.ts';

const isFootnote = isNamed('sup');

/** A link with a raised number: a source of the generated text. */
const isCitation: Test = (element) =>
  isFootnote(element) &&
  /^\p{N}+$/u.test(textOf(element)) &&
  (has(element, leadsOut) || isInside(element, leadsOut));

const isOverviewClass = hasClass('qna_tg', 'qna-aggr-genItems', 'copans_container', 'devanswer_gen');
const isOverviewId = hasId('copans_container');

/** The message that the script replaces by the text. It stays on the page, hidden, beside a text. */
const isLoading = hasClass('gs_loading_text');

/** A generated text cites its sources with raised numbers. */
export const isOverview: Test = (element) =>
  isOtherItem(element) &&
  partsOf(element).all.some((part) => isCitation(part) || isOverviewClass(part) || isOverviewId(part)) &&
  !isInside(element, isRight);

/** The messages around a generated text are shorter. */
const minParagraphLength = 80;

/** Captions and names of sources are shorter than a line of the text. */
const minLineLength = 40;

/** Parts of an overview that are not its text: sources, messages, copies for a smaller screen. */
const isNotText: Test = (element) =>
  isFolded(element) ||
  isLoading(element) ||
  isFootnote(element) ||
  isH2(element) ||
  isCite(element) ||
  element.name === 'button' ||
  ['dialog', 'button', 'tooltip', 'listbox'].includes(element.attribs.role ?? '') ||
  (element.attribs.role === 'list' && textOf(element, isLink) === '');

const isTooltip: Test = ({ attribs }) => attribs.role === 'tooltip';

/** Address → title of the sources: of those of the links to a page, the first title. */
const titlesIn = (item: Element): Map<string, string> => {
  const found = new Map<string, string>();
  for (const link of partsOf(item).links) {
    if (!leadsOut(link) || isInside(link, isTooltip)) continue;
    const url = targetOfLink(link)?.url ?? '';
    const title = textIn(link, isH2) || link.attribs['aria-label'] || link.attribs.title || '';
    if (!found.get(url)) found.set(url, title);
  }
  return found;
};

/** A link around a box is the card of a source. */
const isCard: Test = (element) => leadsOut(element) && has(element, ({ name }) => blocks.has(name));

const addressOf = (link: Element): string | undefined =>
  leadsOut(link) ? targetOfLink(link)?.url : undefined;

/** The names of the sources below the text: links, and nothing else. */
const isSources: Test = (element) =>
  element.name === 'p' && findAll(element, leadsOut).length >= 2 && textOf(element, leadsOut) === '';

/** The links in and around a raised number. */
const citedBy = (element: Element): string[] | undefined => {
  if (!isCitation(element)) return undefined;
  const link = find(element, leadsOut) ?? ancestors(element).find(leadsOut);
  return [link && addressOf(link)].filter((address) => address !== undefined);
};

const marks = {
  isOther: (element: Element): boolean => isNotText(element) || isCard(element) || isSources(element),
  citedBy,
  targetOf: addressOf,
};

/** A short line without a source is a caption, a message or the name of a source. */
const isText = ({ type, spans }: OverviewBlock): boolean =>
  type !== 'paragraph' ||
  spans.some(({ text, sources }) => sources.length > 0 || widthOf(text) >= minLineLength);

const firstOverview = firstOfPage(isOverview);

export const readOverview = (item: Element, page: Page): Draft[] => {
  if (firstOverview(page) !== item) return [];
  if (!linesOf(item, isNotText).some((line) => widthOf(line) >= minParagraphLength)) return [];
  const read = readBlocks(item, marks, titlesIn(item));
  const found = read.blocks.filter(isText);
  return [
    {
      title: linesOf(item).slice(0, 2).find(saysOverview) ?? '',
      snippet: textOfBlocks(found),
      state: 'present',
      ...(read.sources.length > 0 && { sources: read.sources }),
      blocks: found,
    },
  ];
};
