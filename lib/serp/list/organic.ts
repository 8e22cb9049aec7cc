/**
 * The parts of a web result on list pages: its text, the date in it, and its links to other pages of the
 * site.
 */
import type { Element } from 'domhandler';
import { isInside, type Test } from '../dom.ts';
import { hostOf } from '../host.ts';
import { linesOf, textOf } from '../lines.ts';
import type { Target } from '../link.ts';
import { longest, minDateWidth, widthOf } from '../text.ts';

/** Matches the title of a result: its heading and its link. */
export const isTitlePart =
  ({ heading, link }: { heading: Element; link: Element }): Test =>
  (element) =>
    element === heading || element === link;

type TextParts = {
  paragraphs: Element[];
  /** Parts of the result that are not its text, such as its title and its address. */
  isOtherPart: Test;
  /** Elements whose paragraphs are not the text, such as a list inside the result. */
  isAside: Test;
  /** What the text is not in, if it is not a paragraph. */
  isNoText: Test;
};

const isInAside = (paragraph: Element, block: Element, isAside: Test): boolean => {
  let isFound = false;
  isInside(paragraph, (up) => {
    isFound ||= up !== block && isAside(up);
    return up === block;
  });
  return isFound;
};

/** The text is the first long paragraph. Without one, it is the longest line of the rest. */
export const snippetIn = (
  block: Element,
  { paragraphs, isOtherPart, isAside, isNoText }: TextParts,
): string => {
  for (const paragraph of paragraphs) {
    const text = isInAside(paragraph, block, isAside) ? '' : textOf(paragraph, isOtherPart);
    if (widthOf(text) > 20) return text;
  }
  const text = longest(linesOf(block, (element) => isOtherPart(element) || isNoText(element)));
  return widthOf(text) > 40 ? text : '';
};

/** A date has at most so many characters, with a space after it. */
const maxBeforeDot = 31;

/** The date is at the start of the text, followed by a dot: `Jul 12, 2025 · …`. */
const dateIn = (text: string): string => {
  const dot = text.indexOf('·');
  if (dot < 0 || dot > maxBeforeDot) return '';
  const date = /^([^·]{1,30}?) ?· /.exec(text)?.[1] ?? '';
  const isDate = /\p{N}/u.test(date) && widthOf(date) >= minDateWidth && date.split(' ').length <= 5;
  return isDate ? date : '';
};

/** The text without the date at its start, and the date; empty if there is none. */
export const withoutDate = (text: string): { snippet: string; date: string } => {
  const date = dateIn(text);
  return { snippet: date === '' ? text : text.slice(text.indexOf('·') + 1).trim(), date };
};

const withoutFragment = (url: string): string => {
  const hash = url.indexOf('#');
  return hash < 0 ? url : url.slice(0, hash);
};

type Sitelinks = {
  /** The URL of the result. */
  url: string;
  targetOf: (link: Element) => Target | null;
  /** Links of the result that lead to no other page of the site, such as its title. */
  isOwn: Test;
};

/** The links of a result to other pages of its site, with a text: one for each page. */
export const sitelinksIn = (
  links: Element[],
  { url, targetOf, isOwn }: Sitelinks,
): { title: string; url: string }[] => {
  const [host, own] = [hostOf(url), withoutFragment(url)];
  const found = new Map<string, string>();
  for (const link of links) {
    const target = targetOf(link);
    if (!target || found.has(target.url) || withoutFragment(target.url) === own) continue;
    if (hostOf(target.url) !== host || isOwn(link)) continue;
    const title = linesOf(link)[0] ?? '';
    if (title !== '') found.set(target.url, title);
  }
  return [...found].map(([to, title]) => ({ title, url: to }));
};
