/**
 * The ways in which a genuine page is made into another genuine page with the same results, or with some of
 * them: fewer results, empty attributes, cards of other pages, another language of the interface, no roles,
 * other names, signs of the engine in titles. They are repeatable: the same page and seed give the same
 * pages.
 */
import { type AnyNode, cloneNode, type Document, type Element, isTag, isText, Text } from 'domhandler';
import { appendChild, getOuterHTML, prepend, removeElement } from 'domutils';
import type { ResultItem } from '../../lib/model/result.ts';
import { ancestors, find, findAll, has, isInside, isLink, isNamed, type Test } from '../../lib/serp/dom.ts';
import { textOf } from '../../lib/serp/lines.ts';
import { alphabets } from './alphabets.ts';
import { copiesOf, wholeTree } from './copies.ts';
import { pairsOfRenamings } from './drifts.ts';
import { type Random, randomBy } from './random.ts';
import { findLinks, resultsOf } from './results.ts';
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

const treeOf = copiesOf(wholeTree({ decodeEntities: true }));

const htmlOf = (root: Document): string => getOuterHTML(root, { encodeEntities: 'utf8' });

/** A page without most of its results. `change`: gets the parts around the others. */
const withSome = (
  original: Original,
  count: number,
  random: Random,
  change: (kept: Element[]) => void = () => {},
  suffix = '',
): Derived => {
  const root = treeOf(original.answer.html);
  const { parts } = resultsOf(root, original);
  const kept = new Set(random.shuffled([...parts.keys()]).slice(0, count));
  for (const [index, part] of parts.entries()) if (!kept.has(index)) removeElement(part);
  change(parts.filter((_, index) => kept.has(index)));
  return {
    name: `${count} of its results${suffix}`,
    html: htmlOf(root),
    ranking: original.ranking.filter((_, index) => kept.has(index)),
  };
};

const fewer: Derivation = {
  name: 'fewer results',
  derive: (original, seed) => {
    const random = randomBy(seed);
    return [1, 2, 3, 4, 5]
      .filter((count) => count < original.ranking.length)
      .map((count) => withSome(original, count, random));
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

/** The largest blocks between the results of a page with links, but without results and page numbers. */
const cardsOf = (root: Document, original: Original): Element[] => {
  const links = new Set(findLinks(root, original));
  const { engine } = original.answer;
  const isPageLink: Test = (link) =>
    engine.searchOf(link)?.searchParams.has(engine.parameters.first) === true;
  const cards: Element[] = [];
  const look = (box: Element): void => {
    for (const child of box.children.filter(isTag)) {
      const results = findAll(child, (element) => links.has(element)).length;
      if (results > 1) look(child);
      const isCard = results === 0 && has(child, isLink) && textOf(child) !== '';
      if (isCard && !has(child, (element) => engine.isTitleLink(element) || isPageLink(element)))
        cards.push(child);
    }
  };
  const column = engine.columnOf(root);
  if (column) look(column);
  return cards.filter((card) => !links.has(card));
};

const cardsPerPage = 3;

const isIdReference = (name: string): boolean =>
  name === 'id' || name === 'for' || /^aria-(?:controls|owns|labelledby|describedby)$/.test(name);

/** A card of another page, with ids of its own and without the times in its links. */
const adopted = (card: Element, prefix: string): Element => {
  for (const { attribs } of [card, ...findAll(card, () => true)]) {
    for (const [name, value] of Object.entries(attribs))
      if (isIdReference(name)) attribs[name] = value.replace(/\S+/g, (id) => `${prefix}${id}`);
    if (attribs.href !== undefined) attribs.href = attribs.href.replace(/_ylt=[\w.-]+/g, '_ylt=A');
  }
  return card;
};

const otherTreeOf = wholeTree({ decodeEntities: true });

const pools = new WeakMap<Original, Element[]>();

/** The cards of a page that others may get. Copies, which do not keep the tree of the page. */
const poolOf = (original: Original): Element[] => {
  const known = pools.get(original);
  if (known) return known;
  const pool = cardsOf(otherTreeOf(original.answer.html), original)
    .filter((card) => getOuterHTML(card).length < longestCard)
    .map((card) => cloneNode(card, true));
  pools.set(original, pool);
  return pool;
};

/** Puts cards between the parts of a page. */
const insertCards = (parts: Element[], from: Original[], random: Random): void => {
  for (const [index, other] of from.entries()) {
    const [card] = random.shuffled(poolOf(other));
    const part = parts[index % parts.length];
    if (card && part) prepend(part, adopted(cloneNode(card, true), `card${index}-`));
  }
};

const cards: Derivation = {
  name: 'cards of other pages',
  derive: (original, seed, others) => {
    const random = randomBy(seed);
    const from = random.shuffled(others).slice(0, cardsPerPage);
    return [
      same('cards of other pages between its results', (root) => {
        insertCards(random.shuffled(resultsOf(root, original).parts), from, random);
      })(original, seed, others),
      withSome(original, 2, random, (kept) => insertCards(kept, from, random), ', and cards of other pages'),
    ];
  },
};

const word = 'Harvest';

/** Cards that no saved page has, with the marks of a result except its title: links, addresses, texts. */
const oddCards = [
  `<h4>${word} of odd cards</h4><a href="https://odd.example/a/b"><cite>odd.example › a</cite></a><p>${word} and more of it</p>`,
  `<a href="https://odd.example/a/b"><div>${word} of odd cards</div><cite>https://odd.example › a</cite></a>`,
  `<div>Picked for you</div><a href="https://odd.example/a/b"><b>${word}</b><span>odd.example</span></a>`,
  `<cite>odd.example</cite><div role="heading" aria-level="4">${word} of odd cards</div><span>4.5 (12)</span>`,
];

const odd: Derivation = {
  name: 'an odd card',
  derive: (original, seed) => {
    const random = randomBy(seed);
    return oddCards.flatMap((card, index) => {
      const insert = (parts: Element[]): void => {
        const [part] = random.shuffled(parts);
        const tag = part?.name === 'li' ? 'li' : 'div';
        const html = `<${tag} class="odd-card odd-${index}"><div class="odd-box">${card}</div></${tag}>`;
        const root = otherTreeOf(html);
        if (part) for (const node of [...root.children]) prepend(part, node);
      };
      return [
        withSome(original, original.ranking.length, random, insert, `, and odd card ${index + 1}`),
        withSome(original, 3, random, insert, `, and odd card ${index + 1}`),
      ];
    });
  },
};

const isOwnText = isNamed('script', 'style', 'title', 'textarea', 'cite');

/** Attributes that show a text to users. */
const shownAttributes = ['aria-label', 'title', 'alt', 'placeholder'];

const languages: Derivation = {
  name: 'another language',
  derive: (original, seed, others) =>
    alphabets.map(({ name, language, word }) =>
      same(`an interface in ${name} letters`, (root) => {
        const parts = new Set(resultsOf(root, original).parts);
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

/** Signs of the engines' own settings, times and walls, as a site may write them into its title. */
const signsOfEngines = [
  `kEI:"AAAAAAAAAAAAAAAA" google.kEI='AAAAAAAAAAAAAAAA'`,
  '"isMobile":1 mobileoptimized EventID:"63000000aaaa" "currentEpoch":"1600000000000"',
  '_G={Region:"DE",Lang:"de"} "GL":"DE" start\\x3d990',
  '<form id="captcha-form" action="/sorry/index"><div data-sitekey="a"></div></form>',
  '<meta http-equiv="refresh" content="0;url=/httpservice/retry/enablejs"> </html> 999 INKApi Error',
  '<form action="https://consent.google.com/save"><input name="set_eom"> One last step',
];

const signs: Derivation = {
  name: 'signs of the engine in the titles of sites',
  derive: (original, seed, others) =>
    signsOfEngines.map((text) => ({
      ...same(`titles with ${text}`, (root) => {
        const { isTitle } = original.answer.engine;
        for (const link of resultsOf(root, original).links) {
          const title = find(link, isTitle) ?? ancestors(link).find(isTitle);
          if (title) appendChild(title, new Text(` ${text}`));
        }
      })(original, seed, others),
      ranking: original.ranking.map(({ title, url }) => ({ title: `${title} ${text}`, url })),
    })),
};

/** Derivations that change what is on a page. */
export const contents: readonly Derivation[] = [fewer, empty, cards, odd];

/** Derivations that change the names and the words of a page. */
export const names: readonly Derivation[] = [languages, withoutRoles, renamed, signs];

export const derivations: readonly Derivation[] = [...contents, ...names];
