/**
 * Ways in which the markup of a genuine page may be other than that of the saved pages, without another
 * ranking: end tags that HTML allows to leave out, careless ends, other spellings of tags, attributes that
 * are missing. The same page and seed give the same markup.
 */
import { type Document, type Element, isTag, isText } from 'domhandler';
import { ancestors, findAll, isInside, isLink, isNamed, type Test } from '../../lib/serp/dom.ts';
import { copiesOf, wholeTree } from './copies.ts';
import { quoted, writtenIn } from './markup-writer.ts';
import { type Random, randomBy } from './random.ts';

/** `isTitleLink`: matches the title links of web results. */
export type Markup = { name: string; write: (html: string, seed: number, isTitleLink: Test) => string };

const treeOf = copiesOf(wholeTree({ decodeEntities: true }));

const nextOf = (element: Element): Element | 'text' | undefined => {
  for (let next = element.next; next; next = next.next) {
    if (isTag(next)) return next;
    if (isText(next) && next.data.trim() !== '') return 'text';
  }
  return undefined;
};

const endsParagraph = isNamed(
  ...'address article aside blockquote details div dl fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr main nav ol p section table ul'.split(
    ' ',
  ),
);

/** Parents in which a paragraph needs its end tag. */
const keepsParagraph = isNamed('a', 'audio', 'del', 'ins', 'map', 'noscript', 'video', 'span', 'button');

/** Elements before which the end tag of an element may be left out, by its name. */
const endedBy: Record<string, Test> = {
  li: isNamed('li'),
  dt: isNamed('dt', 'dd'),
  dd: isNamed('dt', 'dd'),
  option: isNamed('option', 'optgroup'),
  tr: isNamed('tr'),
  td: isNamed('td', 'th'),
  th: isNamed('td', 'th'),
};

/** Whether HTML allows to leave out the end tag of an element. */
const mayLackEnd: Test = (element) => {
  const next = nextOf(element);
  if (next === 'text') return false;
  if (element.name !== 'p')
    return next === undefined ? element.name in endedBy : endedBy[element.name]?.(next) === true;
  const { parent } = element;
  return next ? endsParagraph(next) : parent !== null && isTag(parent) && !keepsParagraph(parent);
};

const isInline = isNamed('span', 'b', 'strong', 'em', 'i', 'small');
const isBox = isNamed('div');
const isPhrase = isNamed('span', 'b', 'strong', 'em', 'i', 'h2', 'h3', 'a', 'cite');

/** Some of the elements in the results: in the two boxes around the title and the text. */
const someIn = (
  root: Document,
  isTitleLink: Test,
  isWanted: Test,
  random: Random,
  count: number,
): Set<Element> => {
  const parts = findAll(root, isTitleLink).map((link) => ancestors(link)[3] ?? link);
  return new Set(random.shuffled(parts.flatMap((part) => findAll(part, isWanted))).slice(0, count));
};

const bare = (name: string, value: string): string =>
  value !== '' && /^[^\s"'`=<>&]+$/.test(value) ? `${name}=${value}` : quoted(name, value);

const single = (name: string, value: string): string =>
  `${name}='${value.replaceAll('&', '&amp;').replaceAll("'", '&#39;')}'`;

const without =
  (isLeftOut: (name: string) => boolean): Markup['write'] =>
  (html) => {
    const root = treeOf(html);
    for (const { attribs } of findAll(root, () => true))
      for (const name of Object.keys(attribs)) if (isLeftOut(name)) delete attribs[name];
    return writtenIn({})(root);
  };

const careless =
  (isWanted: Test, count: number, form: 'leavesOutEnd' | 'endsEarly'): Markup['write'] =>
  (html, seed, isTitleLink) => {
    const root = treeOf(html);
    const chosen = someIn(root, isTitleLink, isWanted, randomBy(seed), count);
    return writtenIn({ [form]: (element: Element) => chosen.has(element) })(root);
  };

const endsWithPhrase: Test = (element) => {
  const last = element.children.at(-1);
  return isPhrase(element) && last !== undefined && isTag(last) && isPhrase(last);
};

/** Boxes that begin in a result. The end of a box with several results would move them. */
const oneMoreEnd: Markup['write'] = (html, seed, isTitleLink) => {
  const root = treeOf(html);
  const chosen = someIn(root, isTitleLink, isBox, randomBy(seed), 1);
  return writtenIn({ after: (element) => (chosen.has(element) ? '</div>' : '') })(root);
};

const written =
  (form: Parameters<typeof writtenIn>[0]): Markup['write'] =>
  (html) =>
    writtenIn(form)(treeOf(html));

/** Not in a link: the address may be in a span before the title, and then the title would be in this span. */
const isPhraseOfText: Test = (element) => isInline(element) && !isInside(element, isLink);

export const markups: Markup[] = [
  { name: 'without the end tags that may be left out', write: written({ leavesOutEnd: mayLackEnd }) },
  { name: 'one inline element of a result does not end', write: careless(isPhraseOfText, 1, 'leavesOutEnd') },
  {
    name: 'ten spans of results do not end',
    write: careless((element) => element.name === 'span' && isPhraseOfText(element), 10, 'leavesOutEnd'),
  },
  { name: 'one box of a result does not end', write: careless(isBox, 1, 'leavesOutEnd') },
  { name: 'one box of a result ends twice', write: oneMoreEnd },
  { name: 'ten elements end before what is in them', write: careless(endsWithPhrase, 10, 'endsEarly') },
  {
    name: 'tags in capitals, with comments after phrases and no needless quotes',
    write: written({
      name: (name) => name.toUpperCase(),
      after: (element) => (isInline(element) ? '<!-- -->' : ''),
      attribute: bare,
    }),
  },
  {
    name: 'attributes in single quotes, each in a line, in the other order',
    write: written({ attribute: single, order: (list) => list.toReversed(), space: '\n  ' }),
  },
  { name: 'without ids', write: without((name) => name === 'id') },
  { name: 'without data and js attributes', write: without((name) => /^(?:data-|js)/.test(name)) },
  { name: 'without classes', write: without((name) => name === 'class') },
];
