/** The marks that Google's pages carry in all layouts: headings, titles, columns. Attributes first, class names as second witnesses. */
import type { Element } from 'domhandler';
import { find, has, hasClass, isInside, linesOf, type Test, textOf } from '../dom.ts';
import { shownHost } from '../host.ts';
import { leadsOut } from './link.ts';

export const isHeading: Test = ({ attribs }) => attribs.role === 'heading';

export const isH3: Test = ({ name }) => name === 'h3';

/** A line that a reader takes as one: the breadcrumb of mobile pages. */
export const isTextRole: Test = ({ attribs }) => attribs.role === 'text';

export const isLink: Test = ({ name, attribs }) => name === 'a' && attribs.href !== undefined;

export const hasId =
  (...ids: string[]): Test =>
  ({ attribs }) =>
    attribs.id !== undefined && ids.includes(attribs.id);

/** Boxes that gather blocks. */
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

const isFooter = hasId('sfooter', 'fbar', 'footcnt', 'CXQnmb', 'gb');

const aroundNames = new Set(['header', 'footer', 'g-menu', 'g-snackbar']);
const aroundRoles = new Set(['dialog', 'menu', 'contentinfo']);

/** A form that nobody closed holds the rest of the page. */
const isForm: Test = (element) => element.name === 'form' && !has(element, isColumn);

/** What is no part of the answer: the search form, menus, dialogs, feedback, the footer. */
export const isAround: Test = (element) =>
  aroundNames.has(element.name) ||
  isForm(element) ||
  aroundRoles.has(element.attribs.role ?? '') ||
  isFooter(element);

export const isPicture: Test = ({ name }) => name === 'img' || name === 'g-img';

/** Data of an entity: panels and their cards, not results. The words of a featured snippet are not meant. */
export const isEntityData: Test = ({ attribs }) =>
  attribs['data-attrid'] !== undefined && !attribs['data-attrid'].startsWith('wa:');

export const isRight: Test = hasId('rhs');

/** `g-link` heads a section of posts. */
const isForeign: Test = (element) => isEntityData(element) || element.name === 'g-link';

/** A link out of the engine that holds its result's title as `h3`: every labelled desktop page from 2022 on, and the basic pages. */
export const isTitleLink: Test = (element) =>
  leadsOut(element) && has(element, isH3) && !isInside(element, isForeign);

const isInShelf = (element: Element): boolean =>
  isInside(
    element,
    ({ name, attribs }) =>
      name === 'g-scrolling-carousel' || name === 'g-section-with-header' || attribs.role === 'list',
  );

const isBareHost = (line: string): boolean => !line.includes(' ') && shownHost(line) !== '';

/** A site and path above the title, as a text role (2022 on) or by its looks; on cards of shelves a site's name may look like a host. */
const hasBreadcrumb = (link: Element, title: Element): boolean => {
  if (has(link, isTextRole)) return true;
  const above = linesOf(link, (element) => element === title).slice(0, 2);
  return above.some((line) => /^https?:\/\/|[›‹]/.test(line) || (isBareHost(line) && !isInShelf(link)));
};

/** A link out with its breadcrumb and its title as a heading: the mobile pages. */
export const isMobileTitleLink: Test = (element) => {
  const title = leadsOut(element) ? find(element, isHeading) : undefined;
  return title !== undefined && hasBreadcrumb(element, title) && !isInside(element, isForeign);
};

const isPair = hasClass('related-question-pair');

export const isQuestion: Test = (element) =>
  isPair(element) || (element.attribs['data-q'] !== undefined && isInside(element, isQuestions));

/** The box of questions, filled or not. */
export const isQuestions: Test = ({ attribs }) => attribs['data-initq'] !== undefined;

export const isOverview: Test = hasId('eKIzJc', 'm-x-content');

export const textIn = (top: Element, test: Test): string => {
  const found = find(top, test);
  return found ? textOf(found) : '';
};
