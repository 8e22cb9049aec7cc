/**
 * The ways in which the next release of an engine may change a page that shows the same results: other names,
 * and more boxes. They are repeatable: the same page and seed give the same changed page.
 */
import { Element } from 'domhandler';
import { appendChild, getOuterHTML, replaceElement } from 'domutils';
import { findAll, isNamed } from '../../lib/serp/dom.ts';
import { readData } from '../../lib/serp/youtube/data.ts';
import { isObject, type Json } from '../../lib/serp/youtube/json.ts';
import { copiesOf, wholeTree } from './copies.ts';

export type Drift = { name: string; change: (html: string, seed: number) => string };

/** Replaces each name by one other name, as a new build of a page does. */
const renaming = (seed: number, prefix: string): ((name: string) => string) => {
  const names = new Map<string, string>();
  let state = (seed % 2_147_483_646) + 1;
  return (name) => {
    const known = names.get(name);
    if (known) return known;
    state = (state * 48_271) % 2_147_483_647;
    const other = `${prefix}${state.toString(36)}`;
    names.set(name, other);
    return other;
  };
};

const treeOf = copiesOf(wholeTree({ decodeEntities: false }));

/** A change of all elements of a page, which may put boxes around some. */
type Edit = (elements: Element[], seed: number) => void;

/**
 * Makes the changes one after the other. Scripts, character references and the order of attributes stay as
 * they are.
 */
const editing =
  (...edits: Edit[]): Drift['change'] =>
  (html, seed) => {
    const root = treeOf(html);
    for (const edit of edits)
      edit(
        findAll(root, () => true),
        seed,
      );
    return getOuterHTML(root, { encodeEntities: false });
  };

const renameWords = (text: string, rename: (name: string) => string): string =>
  text.replace(/\S+/g, (word) => rename(word));

const classes: Edit = (elements, seed) => {
  const rename = renaming(seed, 'c');
  for (const { attribs } of elements) {
    if (attribs.class !== undefined) attribs.class = renameWords(attribs.class, rename);
  }
};

/** Attributes whose value is an id, or a list of ids. */
const references = new Set([
  ...['id', 'for', 'list', 'headers', 'form'],
  ...['controls', 'owns', 'labelledby', 'describedby', 'details', 'flowto'].map((name) => `aria-${name}`),
]);
const isReference = (name: string): boolean => references.has(name);

const ids: Edit = (elements, seed) => {
  const rename = renaming(seed, 'i');
  for (const { attribs } of elements) {
    for (const name in attribs) {
      const value = attribs[name] ?? '';
      if (isReference(name)) attribs[name] = renameWords(value, rename);
      else if (name === 'href' && /^#./.test(value)) attribs.href = `#${rename(value.slice(1))}`;
    }
  }
};

const hasNameWith = (prefix: string, { attribs }: Element): boolean => {
  for (const name in attribs) if (name.startsWith(prefix)) return true;
  return false;
};

/** Gives other names to the attributes whose names begin with the prefix. */
const attributesWith =
  (prefix: string): Edit =>
  (elements, seed) => {
    const rename = renaming(seed, prefix);
    for (const element of elements) {
      if (!hasNameWith(prefix, element)) continue;
      element.attribs = Object.fromEntries(
        Object.entries(element.attribs).map(([name, value]) => [
          name.startsWith(prefix) ? rename(name) : name,
          value,
        ]),
      );
    }
  };

const dataAttributes = attributesWith('data-');
const scriptAttributes = attributesWith('js');

/** Elements that a browser lays out as blocks. Rows and cells of tables cannot be in another element. */
const isBlock = isNamed(
  ...'address article aside blockquote details dl div fieldset figure footer form h1 h2 h3 h4 h5 h6 header li main nav ol p section table ul'.split(
    ' ',
  ),
);

const boxIn = (element: Element): void => {
  const box = new Element('div', {});
  replaceElement(element, box);
  appendChild(box, element);
};

const boxes: Edit = (elements) => elements.filter(isBlock).forEach(boxIn);

const boxesAroundItems: Edit = (elements) => elements.filter(isNamed('li')).forEach(boxIn);

/** The titles of most engines are of the third level. */
const headings: Edit = (elements) => {
  for (const element of elements.filter(isNamed('h3'))) element.name = 'h2';
};

export const drifts: Drift[] = [
  { name: 'other classes', change: editing(classes) },
  { name: 'other ids', change: editing(ids) },
  { name: 'other data and js attributes', change: editing(dataAttributes, scriptAttributes) },
  { name: 'each block in one more box', change: editing(boxes) },
  { name: 'all of these', change: editing(classes, ids, dataAttributes, scriptAttributes, boxes) },
];

const renamings: [name: string, edit: Edit][] = [
  ['other classes', classes],
  ['other ids', ids],
  ['other data attributes', dataAttributes],
  ['other js attributes', scriptAttributes],
  ['each block in one more box', boxes],
  ['each item of a list in one more box', boxesAroundItems],
  ['headings of another level', headings],
];

/** Each two of the changes, in one tree. */
export const pairsOfRenamings: Drift[] = renamings.flatMap(([name, edit], index) =>
  renamings.slice(index + 1).map(([otherName, other]) => ({
    name: `${name}, and ${otherName}`,
    change: editing(edit, other),
  })),
);

/** Keeps the last changed page: the same page and seed give the same one. */
const keepingLast = (change: Drift['change']): Drift['change'] => {
  let last: { html: string; seed: number; changed: string } | undefined;
  return (html, seed) => {
    if (last?.html !== html || last.seed !== seed) last = { html, seed, changed: change(html, seed) };
    return last.changed;
  };
};

/** Each two of the changes, one after the other. */
const pairsOf = (changes: Drift[]): Drift[] =>
  changes.flatMap((one, index) => {
    const first = keepingLast(one.change);
    return changes.slice(index + 1).map((other) => ({
      name: `${one.name}, and ${other.name}`,
      change: (html: string, seed: number) => other.change(first(html, seed), seed),
    }));
  });

const isRenderer = (name: string): boolean => /(?:Renderer|ViewModel)$/.test(name);

type DataChange = (name: string, value: Json) => [name: string, value: Json];

const changed = (value: Json, change: DataChange): Json => {
  if (Array.isArray(value)) return value.map((item) => changed(item, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inside]) =>
      isRenderer(name) ? change(name, changed(inside, change)) : [name, changed(inside, change)],
    ),
  );
};

/**
 * Kinds that have no shape of their own keep their names: shelves, films, panels, and the link to more
 * results.
 */
const named =
  /shelf|movie|panel|card|clarification|emergency|ad[A-Z]|promoted|continuation|message|Promo|searchFilter|searchSubMenu|tab/i;

const dataChanges: [string, DataChange][] = [
  ['each renderer in one more object', (name, value) => ['newWrapper', { [name]: value }]],
  ['each renderer in one more renderer', (name, value) => ['newWrapperViewModel', { [name]: value }]],
  ['one more object in each renderer', (name, value) => [name, { newModel: value }]],
  [
    'other names of most renderers',
    (name, value) => [named.test(name) ? name : `x${name.length}Renderer`, value],
  ],
];

/** Changes of the data of a YouTube page. The changed page is the data alone. */
export const dataDrifts: Drift[] = dataChanges.map(([name, change]) => ({
  name,
  change: (html) => JSON.stringify(changed(readData(html), change)),
}));

export const pairsOfDataRenamings: Drift[] = pairsOf(dataDrifts);
