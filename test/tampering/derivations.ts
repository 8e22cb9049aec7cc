/**
 * The ways in which a genuine page is made into another genuine page with the same results, or with some of
 * them: fewer results, empty attributes, cards of other pages, another language of the interface, no roles,
 * other names. They are repeatable: the same page and seed give the same pages.
 */
import { type AnyNode, type Document, DomHandler, Element, isTag, isText } from 'domhandler';
import { getOuterHTML, prepend, removeElement } from 'domutils';
import { Parser } from 'htmlparser2';
import type { ResultItem } from '../../lib/model/result.ts';
import { ancestors, findAll, has, isInside, isNamed, partsAround, type Test } from '../../lib/serp/dom.ts';
import { isColumn as isGoogleColumn } from '../../lib/serp/google/elements.ts';
import { textOf } from '../../lib/serp/lines.ts';
import { pairsOfRenamings } from './drifts.ts';
import type { WebEngine } from './engines.ts';
import { randomBy } from './random.ts';
import type { Answer } from './tamperings.ts';

/** What identifies a web result of a page. */
export type Ranked = Pick<ResultItem, 'title' | 'url'>;

/** A page that was made from a saved one, and its web results in order. */
export type Derived = { name: string; html: string; ranking: Ranked[] };

/** A saved page, and its web results as they were read. */
export type Original = { answer: Answer; ranking: Ranked[] };

export type Derivation = {
  name: string;
  /** `others`: pages of the same engine and device for other searches. */
  derive: (original: Original, seed: number, others: Original[]) => Derived[];
};

const treeOf = (html: string): Document => {
  const handler = new DomHandler();
  new Parser(handler).end(html);
  return handler.root;
};

const htmlOf = (root: Document): string => getOuterHTML(root, { encodeEntities: 'utf8' });

/** The title link of each web result, in order. */
const linksOf = (root: Document, { answer: { engine }, ranking }: Original): Element[] => {
  const links = findAll(root, engine.isTitleLink);
  return ranking.map(({ title, url }) => {
    const at = links.findIndex(
      (link) =>
        engine.targetOf(link.attribs.href)?.url === url &&
        textOf(engine.blockOf(link)).includes(title),
    );
    const [link] = at < 0 ? [] : links.splice(at, 1);
    if (!link) throw new Error(`The page has no title link for ${url}`);
    return link;
  });
};

const isLargeBox: Test = (element) => isGoogleColumn(element) || isNamed('body', 'html', 'ol')(element);

/** The part of a page around the title link of each web result, with none of the other links. */
const partsOf = (root: Document, links: Element[], { blockOf }: WebEngine): Element[] =>
  partsAround(root as unknown as Element, links).map(([link]) => {
    const others = new Set(links.filter((other) => other !== link));
    const block = blockOf(link);
    let part = block;
    for (const box of ancestors(block)) {
      if (isLargeBox(box) || has(box, (element) => others.has(element) || isLargeBox(element))) break;
      part = box;
    }
    return part;
  });

const fewer: Derivation = {
  name: 'fewer results',
  derive: (original, seed) => {
    const random = randomBy(seed);
    return [1, 2, 3, 4, 5]
      .filter((count) => count < original.ranking.length)
      .map((count) => {
        const root = treeOf(original.answer.html);
        const parts = partsOf(root, linksOf(root, original), original.answer.engine);
        const kept = new Set(random.shuffled(parts.keys().toArray()).slice(0, count));
        for (const [index, part] of parts.entries()) if (!kept.has(index)) removeElement(part);
        return {
          name: `${count} of its results`,
          html: htmlOf(root),
          ranking: original.ranking.filter((_, index) => kept.has(index)),
        };
      });
  },
};

/** Changes the tree of a page in a way that leaves all results. */
const same =
  (name: string, change: (root: Document, original: Original, seed: number, others: Original[]) => void) =>
  (original: Original, seed: number, others: Original[]): Derived => {
    const root = treeOf(original.answer.html);
    change(root, original, seed, others);
    return { name, html: htmlOf(root), ranking: original.ranking };
  };

const isShown: Test = (element) =>
  !isNamed('html', 'head', 'script', 'style', 'meta', 'link', 'title')(element);

/** Attributes that say nothing if they are empty. */
const emptyAttributes = ['id', 'class', 'role', 'aria-controls', 'aria-label'];

const empty: Derivation = {
  name: 'empty attributes',
  derive: (original, seed, others) => [
    same('empty ids, classes and roles on a third of the elements', (root) => {
      const random = randomBy(seed);
      for (const { attribs } of findAll(root, isShown))
        for (const name of emptyAttributes)
          if (attribs[name] === undefined && random.next() < 1 / 3) attribs[name] = '';
    })(original, seed, others),
  ],
};

/** A larger block is the column itself, or a panel with tabs of its own. */
const longestCard = 100_000;

/** The largest blocks between the results of a page that contain links, but none of the results. */
const cardsOf = (root: Document, original: Original): Element[] => {
  const links = new Set(linksOf(root, original));
  const { engine } = original.answer;
  const column = engine.columnOf(root);
  const cards: Element[] = [];
  const look = (box: Element): void => {
    for (const child of box.children.filter(isTag)) {
      if (has(child, (element) => links.has(element))) look(child);
      else if (has(child, isNamed('a')) && textOf(child) !== '' && !has(child, engine.isTitleLink))
        cards.push(child);
    }
  };
  if (column) look(column);
  return cards.filter((card) => !links.has(card) && !isInside(card, (up) => links.has(up)));
};

const cardsPerPage = 3;

const cards: Derivation = {
  name: 'cards of other pages',
  derive: (original, seed, others) => {
    const random = randomBy(seed);
    const from = random.shuffled(others).slice(0, cardsPerPage);
    if (from.length === 0) return [];
    return [
      same(`cards of other pages between its results`, (root) => {
        const { engine } = original.answer;
        const parts = random.shuffled(partsOf(root, linksOf(root, original), engine));
        for (const other of from) {
          const tree = treeOf(other.answer.html);
          const pool = cardsOf(tree, other).filter((card) => getOuterHTML(card).length < longestCard);
          const [card] = random.shuffled(pool);
          const part = parts.pop();
          if (card && part) prepend(part, card);
        }
      })(original, seed, others),
    ];
  },
};

type Alphabet = { name: string; language: string; word: (word: string) => string };

const shifted =
  (first: string, count: number) =>
  (word: string): string =>
    word.replace(/\p{L}/gu, (letter) =>
      String.fromCodePoint((first.codePointAt(0) ?? 0) + ((letter.codePointAt(0) ?? 0) % count)),
    );

const arabicDigits = (text: string): string =>
  text.replace(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit)));

/** Letters in place of those of the page. The words mean nothing: no reader may depend on them. */
const alphabets: Alphabet[] = [
  { name: 'Cyrillic', language: 'ru', word: shifted('а', 32) },
  { name: 'Arabic', language: 'ar', word: (word) => arabicDigits(shifted('ع', 18)(word)) },
  { name: 'Han', language: 'zh', word: (word) => shifted('一', 4000)(word.slice(0, Math.ceil(word.length / 3))) },
];

const isOwnText = isNamed('script', 'style', 'title', 'textarea', 'cite');

/** Attributes that show a text to users. */
const shownAttributes = ['aria-label', 'title', 'alt', 'placeholder'];

const languages: Derivation = {
  name: 'another language',
  derive: (original, seed, others) =>
    alphabets.map(({ name, language, word }) =>
      same(`an interface in ${name} letters`, (root) => {
        const links = linksOf(root, original);
        const parts = new Set(partsOf(root, links, original.answer.engine));
        const written = (text: string): string =>
          text.replace(/[\p{L}\p{M}\p{N}]+/gu, (letters) => word(letters));
        for (const element of [...findAll(root, () => true)]) {
          const { attribs } = element;
          if (attribs.lang !== undefined) attribs.lang = language;
          if (element.name === 'html' && language === 'ar') attribs.dir = 'rtl';
          // What a site says of itself stays in its own language.
          const isOwn: Test = (up) => parts.has(up) || isOwnText(up);
          if (isOwn(element) || isInside(element, isOwn)) continue;
          if (attribs.href !== undefined)
            attribs.href = attribs.href.replace(/([?&]hl=)[\w-]+/, `$1${language}`);
          for (const shown of shownAttributes) {
            const text = attribs[shown];
            if (text !== undefined) attribs[shown] = written(text);
          }
          for (const node of element.children as AnyNode[]) if (isText(node)) node.data = written(node.data);
        }
      })(original, seed, others),
    ),
};

const withoutRoles: Derivation = {
  name: 'without roles',
  derive: (original, seed, others) => [
    same('without role, aria-* and tabindex', (root) => {
      for (const { attribs } of findAll(root, () => true))
        for (const name of Object.keys(attribs))
          if (/^(?:role|tabindex|aria-.*)$/.test(name)) delete attribs[name];
    })(original, seed, others),
  ],
};

const renamed: Derivation = {
  name: 'two renamings at once',
  derive: ({ answer: { html }, ranking }, seed) =>
    pairsOfRenamings.map(({ name, change }) => ({ name, html: change(html, seed), ranking })),
};

export const derivations: Derivation[] = [fewer, empty, cards, languages, withoutRoles, renamed];
