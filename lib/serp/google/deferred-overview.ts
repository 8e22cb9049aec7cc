/**
 * A generated overview whose text the page's own script loads: where the page says that the text is, and the
 * page with it. The script has the path in a string (`url:'/async/folsrch?…'`), with the id of the element
 * that the answer belongs into. An answer is judged as a page is: the engine answers the path with its
 * consent form, a captcha or a page of results, too.
 */
import type { ParsedPage } from '../../model/parsed-page.ts';
import { findAll, has, hasId, isInside, isNamed, type Test } from '../dom.ts';
import type { Deferred } from '../engine-reader.ts';
import { type Page, parseHtml } from '../page.ts';
import { elementsOf, withDataIn } from '../page-cache.ts';
import { readWithin } from '../steps.ts';
import { readBlockSigns } from './block-signs.ts';
import { leadsOut } from './link.ts';

const type = 'folsrch';

const isPlace: Test = ({ attribs }) =>
  attribs['data-async-type'] === type && /^[\w-]{1,64}$/.test(attribs.id ?? '');

const stringStart = `url:'/async/${type}?`;

/** Paths of real pages have 1,900 to 2,800 characters. A page has one or two. */
const limits = { path: 8192, strings: 8 };

/** Replaces the escapes of a string in a script. Null if it has others than those of characters. */
const unescaped = (text: string): string | null => {
  const plain = text
    .replace(/\\(?:x([0-9a-f]{2})|u([0-9a-f]{4}))/gi, (_, short?: string, long?: string) =>
      String.fromCharCode(Number.parseInt(short ?? long ?? '', 16)),
    )
    .replaceAll('\\/', '/');
  return plain.includes('\\') ? null : plain;
};

/** Whether the answer of a path belongs into the element with this id. */
const isFor = (path: string, id: string): boolean =>
  (URL.parse(path, 'https://page.invalid')?.searchParams.get('async') ?? '').split(',').includes(`_id:${id}`);

const pathFor = (html: string, id: string): string | undefined => {
  let at = html.indexOf(stringStart);
  for (let count = 0; at >= 0 && count < limits.strings; count++) {
    const from = at + "url:'".length;
    const text = html.slice(from, from + limits.path);
    const end = text.indexOf("'");
    const path = end < 0 ? null : unescaped(text.slice(0, end));
    if (path && isFor(path, id)) return path;
    at = html.indexOf(stringStart, from);
  }
  return undefined;
};

/** The index after the start tag of the element into which the answer belongs. */
const startOf = (html: string, id: string): number | undefined => {
  const named = html.indexOf(` id="${id}"`);
  const end = html.indexOf('>', named);
  const tag = html.slice(html.lastIndexOf('<', named), end);
  return named >= 0 && end >= 0 && tag.includes(`data-async-type="${type}"`) ? end + 1 : undefined;
};

/** The box of the text. The pages into which a browser loaded an answer have it there, and only there. */
const isBox = hasId('m-x-content');

/** The generated text has a language attribute. */
const isBody: Test = ({ attribs }) => attribs['data-rl'] !== undefined;

const isOfWholePage = isNamed('html', 'head', 'body', 'title', 'meta', 'base', 'frameset');

const isFrame = isNamed('frame', 'iframe', 'object', 'embed');

const isNavigation: Test = ({ name, attribs }) =>
  name === 'nav' || attribs.role === 'navigation' || attribs.role === 'search';

/** What the text of an overview never has. It may have a field for the next question, but no form. */
const isForeign: Test = (element) =>
  element.name === 'form' || isOfWholePage(element) || isFrame(element) || isNavigation(element);

/** The answer has at most as many steps as a page of results has for its verdict. */
const maxSteps = 200_000;

/**
 * Whether an answer is the text of the overview: a part of a page that has the box of the text once, with the
 * text and all links out in it, and nothing of a whole page, a form, a navigation or a block page.
 */
const isText = (fragment: Page): boolean => {
  const { scripts, ...signs } = readBlockSigns(fragment);
  if (Object.values(signs).includes(true) || elementsOf(fragment.root).some(isForeign)) return false;
  const [box, ...others] = findAll(fragment.root, isBox);
  const isOutside: Test = (element) => leadsOut(element) && !isInside(element, isBox);
  return box !== undefined && others.length === 0 && has(box, isBody) && !has(fragment.root, isOutside);
};

/** A whole page may leave out all tags of a page, but not its declaration. */
const isDocument = (html: string): boolean => /<!doctype/i.test(html);

const isOverview = ({ type: itemType }: { type: string }): boolean => itemType === 'ai_overview';

const isShown = ({ left, right }: ParsedPage): boolean =>
  [...left, ...right].some((item) => isOverview(item) && item.state === 'present');

/** All that a page shows besides its overview. */
const restOf = ({ left, right, query, searched, has_next, unread_blocks, unread }: ParsedPage): string => {
  const others = (items: ParsedPage['left']) =>
    items.filter((item) => !isOverview(item)).map(({ absolute_position, ...item }) => item);
  return JSON.stringify([others(left), others(right), query, searched, has_next, unread_blocks, unread]);
};

/**
 * Undefined if the page shows the text, or does not say where it is. `read` reads another page for the same
 * device.
 */
export const deferredOverview = (
  page: Page,
  parsed: ParsedPage,
  read: (html: string) => ParsedPage,
): Deferred | undefined => {
  const id = isShown(parsed) ? undefined : withDataIn(page.root).find(isPlace)?.attribs.id;
  const path = id && pathFor(page.html, id);
  const start = id && startOf(page.html, id);
  if (!path || !start) return undefined;
  return {
    path,
    withAnswer: (answer) => {
      const fragment = answer.slice(answer.indexOf('<'), answer.lastIndexOf('>') + 1);
      if (isDocument(fragment) || !readWithin(maxSteps, () => isText(parseHtml(fragment)))) return undefined;
      const whole = page.html.slice(0, start) + fragment + page.html.slice(start);
      const again = read(whole);
      // An answer that changes anything else is not a part of this page.
      return isShown(again) && restOf(again) === restOf(parsed) ? whole : undefined;
    },
  };
};
