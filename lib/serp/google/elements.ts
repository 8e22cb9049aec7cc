/**
 * Elements of Google's pages in all layouts: headings, titles, columns. The tests prefer attributes to class
 * names.
 */

import { type Element, isTag, isText, type ParentNode } from 'domhandler';
import { durationIn } from '../dates.ts';
import { ancestors, find, has, hasClass, hasId, isInside, type Test } from '../dom.ts';
import { shownHost } from '../host.ts';
import { isHidden, linesOf } from '../lines.ts';
import { mark, mayHave } from '../marks.ts';
import { once } from '../page-cache.ts';
import { expandersIn } from './expander.ts';
import { leadsOut } from './link.ts';
import { isUnmarkedQuestion } from './unmarked-question.ts';

export const isHeading: Test = (element) => mayHave(element, mark.role) && element.attribs.role === 'heading';

export const isH3: Test = ({ name }) => name === 'h3';

/** A line that a screen reader reads as one text: the breadcrumb of mobile pages. */
export const isTextRole: Test = (element) => mayHave(element, mark.role) && element.attribs.role === 'text';

/** The line of a result with its address. */
export const isAddress: Test = (element) => element.name === 'cite' || isTextRole(element);

/** Containers of blocks. */
export const isColumn: Test = hasId(
  'rso',
  'search',
  'res',
  'center_col',
  'rcnt',
  'cnt',
  'main',
  'botstuff',
  'bres',
  'topstuff',
  'taw',
  'rhs',
  'Odp5De',
  'atvcap',
  'tvcap',
  'bottomads',
  'appbar',
  'gsr',
);

/** The columns in which web results rank. */
const isResultColumn: Test = hasId(
  'rso',
  'search',
  'res',
  'center_col',
  'rcnt',
  'botstuff',
  'bres',
  'topstuff',
  'taw',
  'Odp5De',
);

/** The blocks of ads, which may be in a column of results. */
export const isAdColumn: Test = hasId('tads', 'tadsb');

/**
 * Whether an element is in a column of results. What another document or a script adds around the columns
 * does not rank, and neither do ads that have lost their mark.
 */
export const isRanked: Test = (element) => {
  let isInAds = false;
  const isInColumn = isInside(element, (up) => {
    isInAds = isAdColumn(up);
    return isInAds || isResultColumn(up);
  });
  return isInColumn && !isInAds;
};

const isFooter = hasId('sfooter', 'fbar', 'footcnt', 'CXQnmb', 'gb');

/** Browsers that run scripts show nothing in these elements. */
export const isInert: Test = ({ name }) => name === 'template' || name === 'noscript';

const aroundNames = new Set(['template', 'noscript', 'header', 'footer', 'dialog', 'g-menu', 'g-snackbar']);
const aroundRoles = new Set(['dialog', 'alertdialog', 'menu', 'contentinfo']);

/** A form around a column does not count: it has no end tag, so it contains the rest of the page. */
const isForm: Test = (element) => element.name === 'form' && !has(element, isColumn);

/**
 * Elements that contain no results: inert elements, the search form, menus, dialogs, feedback, the footer.
 */
export const isAround: Test = (element) =>
  aroundNames.has(element.name) ||
  isForm(element) ||
  (mayHave(element, mark.role) &&
    element.attribs.role !== undefined &&
    aroundRoles.has(element.attribs.role)) ||
  isFooter(element);

export const isPicture: Test = ({ name }) => name === 'img' || name === 'g-img';

/**
 * Data of an entity: panels and their cards, not results. `wa:` marks the text of a featured snippet, which
 * is not entity data.
 */
export const isEntityData: Test = (element) => {
  const attribute = mayHave(element, mark.data) ? element.attribs['data-attrid'] : undefined;
  return attribute !== undefined && !attribute.startsWith('wa:');
};

export const isRight: Test = hasId('rhs');

const topOf = (element: Element): ParentNode => {
  let top: ParentNode = element;
  while (top.parent) top = top.parent;
  return top;
};

/** The ids of the elements that a button of the page opens and closes. */
const controlledIn = once(
  (top: ParentNode) =>
    new Set(expandersIn(top).flatMap(({ attribs }) => attribs['aria-controls']?.split(/\s+/) ?? [])),
);

const isControlled = once((element: Element): boolean =>
  controlledIn(topOf(element)).has(element.attribs.id ?? ''),
);

const isClosedHeading: Test = (element) =>
  mayHave(element, mark.aria) && element.attribs['aria-expanded'] === 'false';

/** Whether the element follows one that is closed, or that contains the heading which is. */
const followsClosed = once((element: Element): boolean => {
  let above = element.prev;
  while (above && !isTag(above)) above = above.prev;
  return above !== null && (isClosedHeading(above) || has(above, isClosedHeading));
});

/**
 * The part of a question, or of a fact, that opens when the user clicks its heading. Whole results are not in
 * such a part.
 */
export const isOpened: Test = (element) =>
  (mayHave(element, mark.id) && element.attribs.id !== undefined && isControlled(element)) ||
  (isHidden(element) && followsClosed(element));

/**
 * An answer of AI Mode: a turn of a conversation with the engine. The scripts of the page find it by this
 * name, and so do public programs. No saved page shows one.
 */
export const isTurn: Test = (element) =>
  mayHave(element, mark.data) && element.attribs['data-xid'] === 'aim-mars-turn-root';

/** A link in such an element is not a result. `g-link` is the head of a section of posts. */
export const isWithoutResults: Test = (element) =>
  isEntityData(element) || element.name === 'g-link' || isOpened(element) || isTurn(element);

/**
 * A link out of the engine that contains the title as `h3`, as on every labelled desktop page since 2022 and
 * on the basic pages.
 */
export const isTitleLink: Test = (element) =>
  leadsOut(element) && has(element, isH3) && !isInside(element, isWithoutResults);

export const isCardList: Test = (element) =>
  element.name === 'g-scrolling-carousel' ||
  element.name === 'g-section-with-header' ||
  (mayHave(element, mark.role) && element.attribs.role === 'list');

const isInCardList = (element: Element): boolean => isInside(element, isCardList);

const isBareHost = (line: string): boolean => !line.includes(' ') && shownHost(line) !== '';

/** The lines of a link above its title, or below it, in the order of the page, without the title. */
const linesBeside = (link: Element, title: Element, side: 'prev' | 'next'): string[] => {
  const lines: string[] = [];
  for (const part of [title, ...ancestors(title)]) {
    if (part === link) break;
    for (let node = part[side]; node; node = node[side]) {
      if (isTag(node) && !isHidden(node)) lines.push(...linesOf(node));
      else if (isText(node) && node.data.trim() !== '') lines.push(node.data.trim());
    }
  }
  return lines;
};

const isPath = (line: string): boolean => /^https?:\/\/|[›‹]/.test(line);

/** Whether the first of the two kinds of elements in a link is a line with a text role. */
const isBelowTextRole = (link: Element, title: Element): boolean => {
  const first = find(link, (element) => element === title || isTextRole(element));
  return first !== undefined && first !== title;
};

/**
 * Whether the link has a breadcrumb above the title: a text role (since 2022), a line that looks like an
 * address, or any line, if the title is the last line of the link. A host below the title is that of a card.
 * In a list of cards, a line without a path is the source of a story, and the name of a site may look like a
 * host. A duration is that of a video.
 */
const hasBreadcrumb = (link: Element, title: Element): boolean => {
  if (isBelowTextRole(link, title)) return true;
  const above = linesBeside(link, title, 'prev').filter((line) => durationIn([line]) === '');
  if (above.some(isPath)) return true;
  if (above.length === 0 || isInCardList(link)) return false;
  return above.some(isBareHost) || linesBeside(link, title, 'next').length === 0;
};

/** A link out of the engine with a breadcrumb and the title as a heading, as on mobile pages. */
export const isMobileTitleLink: Test = (element) => {
  const title = leadsOut(element) ? find(element, isHeading) : undefined;
  return title !== undefined && hasBreadcrumb(element, title) && !isInside(element, isWithoutResults);
};

const isQuestionPair = hasClass('related-question-pair');

/** A question with its own class or attribute. */
export const isMarkedQuestion: Test = (element) =>
  isQuestionPair(element) ||
  (mayHave(element, mark.data) && element.attribs['data-q'] !== undefined && isInside(element, isQuestions));

export const isQuestion: Test = (element) => isMarkedQuestion(element) || isUnmarkedQuestion(element);

/** The box of questions, with or without questions. */
export const isQuestions: Test = (element) =>
  mayHave(element, mark.data) && element.attribs['data-initq'] !== undefined;

const isOverviewBox = hasId('eKIzJc', 'm-x-content');

/**
 * The box has one of two ids, and contains an element with this attribute, as nothing else on the page does.
 */
export const isOverview: Test = (element) =>
  isOverviewBox(element) || (mayHave(element, mark.data) && element.attribs['data-mcpr'] !== undefined);
