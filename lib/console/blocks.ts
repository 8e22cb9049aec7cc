/** The parsed items on a rebuilt page: where they are, and their marks. */

import { pressLabel } from './mark-labels.ts';

/** What is looked for on the page. */
export type Sought = { title: string; url: string; snippet?: string; terms?: readonly string[] | undefined };

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim().toLowerCase();

/** An address without what may differ between two links to the same page. */
const keyOf = (url: string): string =>
  url
    .replace(/^https?:\/\//i, '')
    .replace(/^www\./i, '')
    .replace(/#.*$/s, '')
    .replace(/(?<!\/)\/+$/, '')
    .toLowerCase();

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Some redirects have their target in base64, after `u=a1`. */
const unpacked = (text: string): string => {
  try {
    return atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    return '';
  }
};

/** The addresses in a link: its own, and the targets that redirects of engines have as parameters. */
export const addressesIn = (href: string): string[] => {
  const text = decoded(href);
  const packed = /[?&]u=a1([\w-]+)/.exec(href)?.[1];
  return [
    href,
    ...[...text.matchAll(/https?:\/\/[^\s"'<>]+/gi)].flatMap(([all]) => [
      all,
      all.replace(/&.*$/, ''),
      all.replace(/\/R[KS]=.*$/, ''),
    ]),
    ...(packed ? [unpacked(packed)] : []),
  ];
};

/** Text of a block at most, so that a lonely item does not mark the whole page. */
const maxBlockText = 1800;

/** Letters of a snippet that tell its item from other texts with its title, such as the search field. */
const snippetStart = 40;

/** Elements with the same text that are compared. */
const maxNamesakes = 50;

/** Elements above a title that may have its snippet. */
const snippetLevels = 5;

/** How many levels above an element the text of a snippet is; Infinity if it is not near. */
const levelsTo = (element: Element, start: string): number => {
  let each: Element | null = element;
  for (let level = 0; level < snippetLevels && each && each.localName !== 'body'; level++) {
    const text = each.textContent ?? '';
    if (text.length > maxBlockText) break;
    if (plain(text).includes(start)) return level;
    each = each.parentElement;
  }
  return Number.POSITIVE_INFINITY;
};

const add = <Key>(map: Map<Key, Element[]>, key: Key, element: Element): void => {
  const list = map.get(key);
  if (list) list.push(element);
  else map.set(key, [element]);
};

/**
 * The block of each item on the page, by its link or its title; null if it cannot be found. A block is the
 * largest element around the link that has no other item in it.
 */
export const findBlocks = (
  { body }: Document,
  links: ReadonlyMap<Element, string>,
  items: readonly Sought[],
): (Element | null)[] => {
  const byAddress = new Map<string, Element[]>();
  for (const [element, href] of links) {
    for (const key of new Set(addressesIn(href).map(keyOf))) add(byAddress, key, element);
  }
  const byText = new Map<string, Element[]>();
  for (const element of body.querySelectorAll('h1,h2,h3,h4,[role=heading],a,b,strong,span,div,p,td,li')) {
    if (element.childElementCount > 6) continue;
    const text = plain(element.textContent ?? '');
    if (text !== '' && text.length < 400) add(byText, text, element);
  }

  const used = new Set<Element>();
  const unused = (found: readonly Element[] | undefined): Element | undefined =>
    found?.find((element) => !used.has(element));
  /** The element with a title, beside its snippet if one is. */
  const named = (title: string, snippet: string): Element | undefined => {
    const all = title === '' ? [] : (byText.get(title) ?? []);
    if (snippet === '' || all.length > maxNamesakes) return unused(all);
    const start = plain(snippet).slice(0, snippetStart);
    const near = all
      .filter((element) => !used.has(element))
      .map((element) => ({ element, levels: levelsTo(element, start) }));
    return near.toSorted((one, other) => one.levels - other.levels || 0)[0]?.element;
  };
  const find = ({ title, url, snippet = '', terms = [] }: Sought): Element | null => {
    const wanted = plain(title);
    const linked = url === '' ? undefined : byAddress.get(keyOf(url));
    const titled = linked?.filter(
      (element) => wanted !== '' && plain(element.textContent ?? '').includes(wanted),
    );
    const found =
      unused(titled) ??
      unused(linked) ??
      named(wanted, snippet) ??
      terms.map((term) => unused(byText.get(plain(term)))).find((each) => each !== undefined) ??
      linked?.[0] ??
      null;
    if (found) used.add(found);
    return found;
  };
  const found = items.map(find);

  /** How many items are in an element. */
  const inside = new Map<Element, number>();
  for (const element of new Set(found)) {
    for (let each = element; each; each = each.parentElement) inside.set(each, (inside.get(each) ?? 0) + 1);
  }
  return found.map((element) => {
    let block = element;
    for (let each = element?.parentElement; each && each !== body; each = each.parentElement) {
      if ((inside.get(each) ?? 0) > 1 || (each.textContent ?? '').length > maxBlockText) break;
      block = each;
    }
    return block;
  });
};

/** Makes one box of each block that is a link around whole paragraphs: such a link has no outline. */
export const boxBlocks = ({ defaultView }: Document, blocks: readonly (Element | null)[]): void => {
  const styleOf = (element: Element) => (defaultView ?? window).getComputedStyle(element);
  const isParagraph = (element: Element): boolean => {
    const { display, position } = styleOf(element);
    return !/^(?:inline|none)/.test(display) && position !== 'absolute' && position !== 'fixed';
  };
  const links = blocks.filter(
    (block) => block && styleOf(block).display === 'inline' && [...block.children].some(isParagraph),
  );
  for (const link of links) link?.setAttribute('data-box', '');
};

/** Marks all blocks, and one of them as the present one. */
export const markBlocks = (
  target: Document,
  blocks: readonly (Element | null)[],
  present: number | null,
): void => {
  for (const marked of target.querySelectorAll('[data-mark]')) marked.removeAttribute('data-mark');
  for (const block of blocks) block?.setAttribute('data-mark', 'item');
  if (present !== null) blocks[present]?.setAttribute('data-mark', 'now');
  pressLabel(target, present);
};
