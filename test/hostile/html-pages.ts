/**
 * Hostile pages of the engines whose pages are HTML: markup in the main column; a long text in the place of
 * each text and each attribute of a page; each element of a page many times, side by side and in itself.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DomHandler, type Element, isText } from 'domhandler';
import { Parser } from 'htmlparser2';
import type { EngineName } from '../../lib/model/engine.ts';
import { findAll } from '../../lib/serp/dom.ts';
import type { HostilePage } from './hostile-page.ts';
import { markups } from './markup.ts';
import { sandboxPages } from './sandbox-page.ts';
import { filled, texts } from './texts.ts';

type WebEngine = Exclude<EngineName, 'youtube'>;

/** The start tag of the main column. */
const columns: Record<WebEngine, RegExp> = {
  google: /<div id="rso"[^>]*>/,
  bing: /<ol id="b_results"[^>]*>/,
  yahoo: /<ol[^>]*searchCenterMiddle[^>]*>|<div id="web"[^>]*>/,
};

type Span = { start: number; end: number };

const corpus = join(import.meta.dirname, '../corpus');

const corpusPages = (engine: WebEngine): string[] =>
  (['desktop', 'mobile'] as const).flatMap((device) =>
    readdirSync(join(corpus, engine, device)).map((name) =>
      readFileSync(join(corpus, engine, device, name, 'page.html'), 'utf8'),
    ),
  );

const elementsIn = (html: string): Element[] => {
  const handler = new DomHandler(null, { withStartIndices: true, withEndIndices: true });
  new Parser(handler).end(html);
  return findAll(handler.root, () => true);
};

const spanOf = ({ startIndex, endIndex }: { startIndex: number | null; endIndex: number | null }): Span => ({
  start: startIndex ?? 0,
  end: (endIndex ?? 0) + 1,
});

/** What rules can tell about an element. */
const kindOf = ({ name, attribs }: Element): string =>
  `${name}${attribs.id ? `#${attribs.id}` : ''}${attribs.class ? `.${attribs.class.split(' ')[0]}` : ''}[${Object.keys(attribs).sort().join(' ')}]`;

/** One value for each key: the first. */
const firstByKey = <T>(values: T[], keyOf: (value: T) => string): Map<string, T> => {
  const found = new Map<string, T>();
  for (const value of values) {
    const key = keyOf(value);
    if (!found.has(key)) found.set(key, value);
  }
  return found;
};

/** The page with a text of the missing size at an index. */
const withText =
  (html: string, at: number, piece: string): HostilePage['of'] =>
  (bytes) =>
    html.slice(0, at) + filled(piece, Math.max(0, bytes - html.length)) + html.slice(at);

const textAt = (n: number, seed: number) =>
  texts[(n * 7 + seed * 13) % texts.length] ?? { name: '', piece: 'a' };

/** Markup in the main column. */
const withMarkup = (engine: WebEngine, html: string): HostilePage[] => {
  const column = columns[engine].exec(html);
  if (!column) throw new Error(`The page of ${engine} has no main column`);
  const at = column.index + column[0].length;
  return markups.map(({ name, of }) => ({
    engine,
    name,
    of: (bytes) => html.slice(0, at) + of(Math.max(0, bytes - html.length)) + html.slice(at),
  }));
};

/** A long text in each text. Which one: another for each seed. */
const withTexts = (engine: WebEngine, html: string, seed: number): HostilePage[] => {
  const places = firstByKey(
    elementsIn(html).filter(({ children }) => children.some((child) => isText(child) && child.data.trim())),
    kindOf,
  );
  return [...places].map(([kind, { children }], n) => {
    const text = textAt(n, seed);
    const at = children.find((child) => isText(child) && child.data.trim())?.startIndex ?? 0;
    return { engine, name: `${text.name} in ${kind}`, of: withText(html, at, text.piece) };
  });
};

/** The index behind the first quote of an attribute of an element; -1 if it is written without quotes. */
const valueIndex = (html: string, { startIndex }: Element, name: string): number => {
  const from = startIndex ?? 0;
  const at = html.indexOf(` ${name}="`, from);
  return at < 0 ? -1 : at + name.length + 3;
};

/** A long text in each attribute. */
const withValues = (engine: WebEngine, html: string, seed: number): HostilePage[] => {
  const places = elementsIn(html).flatMap((element) =>
    Object.entries(element.attribs).map(([name, value]) => ({ element, name, value })),
  );
  const kinds = firstByKey(places, ({ element, name }) => `${kindOf(element)} ${name}`);
  return [...kinds].flatMap(([kind, { element, name, value }], n) => {
    const text = textAt(n, seed + 3);
    const at = valueIndex(html, element, name) + (n % 2 === 0 ? value.length : 0);
    if (at <= 0) return [];
    const piece = text.piece.replaceAll('"', '&quot;');
    return [{ engine, name: `${text.name} in ${kind}`, of: withText(html, at, piece) }];
  });
};

/** The longest element that is repeated, in characters. */
const longest = 2500;

/** Each element many times. */
const withElements = (engine: WebEngine, pages: string[]): HostilePage[] => {
  const places = pages.flatMap((html) =>
    elementsIn(html).flatMap((element) => {
      const { start, end } = spanOf(element);
      return end - start > longest || end - start < 8 ? [] : [{ html, element, start, end }];
    }),
  );
  return [...firstByKey(places, ({ element }) => kindOf(element))].flatMap(
    ([kind, { html, element, start, end }]) => {
      const whole = html.slice(start, end);
      const open = whole.replace(new RegExp(`</${element.name}\\s*>$`), '');
      const at = (piece: string): HostilePage['of'] => withText(html, start, piece);
      return [
        { engine, name: `${kind} many times`, of: at(whole) },
        { engine, name: `${kind} in itself`, of: at(open) },
      ];
    },
  );
};

export const htmlPages = (engine: WebEngine, seed: number): HostilePage[] => {
  const [first = '', ...others] = sandboxPages(engine);
  return [
    ...withMarkup(engine, first),
    ...[first, ...others].flatMap((html) => [
      ...withTexts(engine, html, seed),
      ...withValues(engine, html, seed),
    ]),
    ...withElements(engine, [first, ...others, ...corpusPages(engine)]),
  ];
};
