/** One web result: the title link and the box around it. */

import type { Element } from 'domhandler';
import { find, hasClass, isInside, isNamed, type Test, walk } from '../dom.ts';
import { domainOf, hostOf, shownHost, splitAddress } from '../host.ts';
import { isHidden, linesOf, textIn, textOf } from '../lines.ts';
import { mark, mayHave } from '../marks.ts';
import type { Page } from '../page.ts';
import { longest, minDateWidth, widthOf } from '../text.ts';
import type { Draft } from '../walker.ts';
import { withoutChapters } from './card.ts';
import { isH3, isHeading, isTextRole } from './elements.ts';
import { leadsOut, targetIn } from './link.ts';
import { resolve } from './plain-address.ts';
import { readRating } from './rating.ts';

const isCite = isNamed('cite');

/**
 * The line with the site and the path: `cite` on desktop, a text role on mobile, the line under the title on
 * basic pages. Results from social networks show the site's name and a count instead of a path.
 */
const breadcrumbOf = (link: Element, block: Element, title: Element): string => {
  const marked = textIn(link, isCite) || textIn(link, isTextRole);
  if (shownHost(marked) !== '') return marked;
  const lines = [...new Set(linesOf(link, (element) => element === title))];
  if (marked !== '') return lines.join(' · ');
  return lines.findLast((line) => /[.›]/.test(line)) ?? (textIn(block, isCite) || lines.join(' · '));
};

/**
 * `data-sncf` numbers the rows under the title; the text is row 1. Pages before 2022 have the class instead.
 */
const isText = hasClass('VwiC3b', 'st');

const isSnippet: Test = (element) =>
  isText(element) ||
  (mayHave(element, mark.data) && element.attribs['data-sncf']?.split(',').includes('1') === true);

const isLatestText = hasClass('VwiC3b');

const snippetOf = (block: Element, link: Element): { element?: Element; text: string } => {
  let shown = '';
  const element = find(block, (part) => {
    if (isSnippet(part)) shown = textOf(find(part, isLatestText) ?? part);
    return shown !== '';
  });
  if (element) return { element, text: shown };
  const isOtherPart: Test = (element) =>
    element === link || isCite(element) || isHeading(element) || element.name === 'a';
  const text = longest(linesOf(block, isOtherPart));
  return { text: widthOf(text) > 40 ? text : '' };
};

/** The date is a separate element at the start of the snippet, followed by a dash. */
const dateOf = (element: Element | undefined): string => {
  const date = element && /^([^—·]{1,30}?) ?—/.exec(textOf(element))?.[1];
  if (!date || !/\p{N}/u.test(date) || widthOf(date) < minDateWidth) return '';
  return find(element, (part) => part.name === 'span' && textOf(part).replace(/ ?—$/, '') === date)
    ? date
    : '';
};

const withoutTimeOffset = (url: string): string =>
  url.replace(/[#?&](?:t|time_continue)=.*/s, '').replace(/#.*/s, '');

/**
 * The links of a result that it shows. The player of a video is hidden until the user opens it, and has the
 * same links again.
 */
const linksIn = (block: Element): Element[] => {
  const links: Element[] = [];
  walk(block, (element) => {
    if (isHidden(element)) return false;
    if (leadsOut(element)) links.push(element);
    return true;
  });
  return links;
};

/** Links of the result to other pages of its site. */
const sitelinksOf = (block: Element, link: Element, url: string): { title: string; url: string }[] => {
  const found = new Map<string, string>();
  const host = hostOf(url);
  const links = linksIn(block).filter((other) => other !== link && !isInside(other, (up) => up === link));
  for (const other of withoutChapters(links)) {
    const target = targetIn(other);
    if (!target) continue;
    // The target of a hidden link is unknown. The link counts as a sitelink until it is known to lead to
    // another site.
    const mayBeOwn = target.url_resolution === 'opaque' || hostOf(target.url) === host;
    if (!mayBeOwn || withoutTimeOffset(target.url) === withoutTimeOffset(url)) continue;
    const title = textIn(other, isH3) || textIn(other, isHeading) || (linesOf(other)[0] ?? '');
    if (title !== '' && !found.has(target.url)) found.set(target.url, title);
  }
  return [...found].map(([to, title]) => ({ title, url: to }));
};

/** `isTitle` finds the title in the link: an `h3`, or a heading on mobile pages. */
export const readOrganic =
  (isTitle: Test) =>
  (block: Element, page: Page, link: Element): Draft[] => {
    const titleElement = find(link, isTitle);
    if (!titleElement) return [];
    const text = textOf(titleElement);
    if (text === '') return [];
    const shown = breadcrumbOf(link, block, titleElement);
    const target = resolve(link, block, page, { title: text, breadcrumb: shown });
    const { address, title } = splitAddress(text, shown === '' ? target.url : '');
    const breadcrumb = shown || address;
    const snippet = snippetOf(block, link);
    const date = dateOf(snippet.element);
    const sitelinks = sitelinksOf(block, link, target.url);
    return [
      {
        title,
        ...target,
        breadcrumb,
        snippet: snippet.text,
        domain: domainOf(target, breadcrumb),
        ...(date && { date }),
        ...readRating(block, link),
        ...(sitelinks.length > 0 && { sitelinks }),
      },
    ];
  };
