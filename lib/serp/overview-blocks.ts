/**
 * The parts of a generated overview: paragraphs, headings, lists, tables and code, each as spans of text. A
 * span ends where the page cites sources, or at the end of its line, row or cell.
 */
import { type AnyNode, type Element, isTag, isText } from 'domhandler';
import type { OverviewBlock, Reference } from '../model/overview.ts';
import type { Test } from './dom.ts';
import { blocks, isHidden, longest, withoutText } from './lines.ts';
import { referencesOf } from './references.ts';
import { spend } from './steps.ts';
import { tidy } from './text.ts';

export type OverviewMarks = {
  /** Parts that are not text: buttons, messages, the cards of the sources. */
  isOther: Test;
  /**
   * The addresses that an element cites, if it is a mark behind the text. Its own text is left out. Undefined
   * for other elements.
   */
  citedBy: (element: Element) => string[] | undefined;
  /** The address of a link in the text. Undefined: it does not lead out of the engine. */
  targetOf: (link: Element) => string | undefined;
};

type Span = { text: string; sources: Set<string>; row?: number; column?: number };
type Block = { type: OverviewBlock['type']; spans: Span[] };

const isHeading: Test = ({ name, attribs }) => /^h[1-6]$/.test(name) || attribs.role === 'heading';

const typeOf = (element: Element): OverviewBlock['type'] | undefined => {
  if (element.name === 'ul' || element.name === 'ol') return 'list';
  if (element.name === 'table') return 'table';
  if (element.name === 'pre') return 'code';
  return isHeading(element) ? 'heading' : undefined;
};

const hasWords = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);

/** Collects spans in page order. The caller tells where lines, blocks, rows and cells begin and end. */
class Collector {
  readonly found: Block[] = [];
  /** The outermost list, table, heading or code around the current text. */
  container: { element: Element; type: OverviewBlock['type'] } | undefined;
  #block: Block | undefined;
  #row = 0;
  #column = 0;
  #text = '';
  #sources = new Set<string>();
  #length = 0;

  add(text: string): void {
    if (this.#length > longest.text) return;
    this.#length += text.length;
    this.#text += text;
  }

  cite(addresses: string[]): void {
    for (const address of addresses) this.#sources.add(address);
  }

  /** The sources of an empty text, and signs at the start of a text, belong to the span before. */
  endSpan(): void {
    const whole = this.container?.type === 'code' ? this.#text.trim() : tidy(this.#text);
    const cited = this.#sources;
    this.#text = '';
    this.#sources = new Set();
    if (whole === '' && cited.size === 0) return;
    const before = this.#block?.spans.at(-1);
    const signs = before ? (/^(?:[.,;:!?…]+(?=\s|$)|[。、]+)/.exec(whole)?.[0] ?? '') : '';
    if (before) before.text += signs;
    const text = whole.slice(signs.length).trim();
    const last = before ?? this.found.at(-1)?.spans.at(-1);
    if (hasWords(text)) this.#open().spans.push({ text, sources: cited, ...this.#place() });
    else if (last) for (const address of cited) last.sources.add(address);
  }

  endBlock(): void {
    this.endSpan();
    this.#block = undefined;
    this.#row = 0;
    this.#column = 0;
  }

  beginRow(): void {
    this.endSpan();
    this.#row += 1;
    this.#column = 0;
  }

  beginCell(): void {
    this.endSpan();
    this.#column += 1;
  }

  #open(): Block {
    if (!this.#block) {
      this.#block = { type: this.container?.type ?? 'paragraph', spans: [] };
      this.found.push(this.#block);
    }
    return this.#block;
  }

  #place(): Pick<Span, 'row' | 'column'> {
    const type = this.container?.type;
    if (type === 'list') return { row: Math.max(1, this.#row) };
    return type === 'table' ? { row: Math.max(1, this.#row), column: Math.max(1, this.#column) } : {};
  }
}

const enter = (element: Element, to: Collector): void => {
  const type = typeOf(element);
  if (type && !to.container) {
    to.endBlock();
    to.container = { element, type };
  } else if (to.container?.type === 'list' && element.name === 'li') to.beginRow();
  else if (to.container?.type === 'table' && element.name === 'tr') to.beginRow();
  else if (to.container?.type === 'table' && (element.name === 'td' || element.name === 'th')) to.beginCell();
  else breakLine(element, to);
};

/** A block element that its style shows within the line may be a part of a sentence. */
const isInline: Test = ({ attribs }) =>
  attribs.style !== undefined && /display:\s*(?:contents|inline)/.test(attribs.style);

const breakLine = (element: Element, to: Collector): void => {
  if (!blocks.has(element.name) || isInline(element) || to.container?.type === 'code') return;
  if (to.container) to.endSpan();
  else to.endBlock();
};

const leave = (element: Element, to: Collector): void => {
  if (to.container?.element === element) {
    to.endBlock();
    to.container = undefined;
  } else breakLine(element, to);
};

/** Whether the text of an element is read. A mark ends the span before it. */
const isRead = (element: Element, marks: OverviewMarks, to: Collector): boolean => {
  if (withoutText.has(element.name) || isHidden(element)) return false;
  const cited = marks.citedBy(element);
  if (cited) {
    to.cite(cited);
    to.endSpan();
  }
  return cited === undefined && !marks.isOther(element);
};

const blocksIn = (top: Element, marks: OverviewMarks): Block[] => {
  const to = new Collector();
  let node: AnyNode | null = top.firstChild;
  let steps = 0;
  while (node) {
    steps += 1;
    let inside: AnyNode | null = null;
    if (isText(node)) {
      steps += node.data.length >> 3;
      to.add(node.data);
    } else if (isTag(node) && node.name === 'br') to.add(' ');
    else if (isTag(node) && isRead(node, marks, to)) {
      const target = node.name === 'a' ? marks.targetOf(node) : undefined;
      if (target !== undefined) to.cite([target]);
      enter(node, to);
      inside = node.firstChild;
      if (!inside) leave(node, to);
    }
    if (inside) {
      node = inside;
      continue;
    }
    while (node && !node.next) {
      node = node.parent === top ? null : (node.parent as AnyNode | null);
      if (node && isTag(node)) leave(node, to);
    }
    node = node?.next ?? null;
  }
  to.endBlock();
  spend(steps);
  return to.found;
};

/**
 * The blocks of an overview and its sources. `titles`: the known sources, address → title. Sources that only
 * a span cites are added with their titles in `cited`.
 */
export const readBlocks = (
  top: Element,
  marks: OverviewMarks,
  titles: ReadonlyMap<string, string>,
  cited: ReadonlyMap<string, string> = new Map(),
): { blocks: OverviewBlock[]; sources: Reference[] } => {
  const found = blocksIn(top, marks);
  const all = new Map(titles);
  for (const { spans } of found)
    for (const { sources } of spans)
      for (const address of sources) if (!all.has(address)) all.set(address, cited.get(address) ?? '');
  const sources = referencesOf(all);
  const numbers = new Map(sources.map(({ url, position }) => [url, position]));
  return {
    sources,
    blocks: found.map(({ type, spans }) => ({
      type,
      spans: spans.map((span) => ({
        ...span,
        sources: [...span.sources].flatMap((address) => numbers.get(address) ?? []).sort((a, b) => a - b),
      })),
    })),
  };
};

/** The text of blocks in one line. */
export const textOfBlocks = (found: OverviewBlock[]): string =>
  tidy(found.flatMap(({ spans }) => spans.map(({ text }) => text)).join(' '));
