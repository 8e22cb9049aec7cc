/**
 * Builds the tree of a page in one pass over its text. The tree is the same as that of htmlparser2, apart
 * from end tags that browsers ignore, from items of lists that they end, and from what no reader looks for in
 * a tree: comments, and the text of scripts and styles after its first character, whose indexes tell where
 * the whole text is. They are most of a page. htmlparser2 examines each character in turn, because its input
 * may arrive in parts. A page arrives whole, so this searches for the next sign that matters.
 */
import { type Document, type Element, isTag, ProcessingInstruction } from 'domhandler';
import { decodeHTML } from 'entities/decode';
import { type ElementRule, elementRules } from './element-rules.ts';
import {
  after,
  afterComment,
  endOfName,
  endOfText,
  isLetter,
  nameIn,
  newTag,
  readAttributes,
  sign,
} from './markup.ts';
import { OpenTree } from './open-tree.ts';
import { PageTooLarge } from './page-limits.ts';

/**
 * The tree of a page, and its elements in page order. `marked`: those with a mark of `listedMarks`.
 * `isWhole`: false if it ends where the page exceeds the limits. `unclosed`: by name, how many more elements
 * begin than end by a tag of their own; negative if more end.
 */
type Tree = {
  root: Document;
  elements: Element[];
  marked: Element[];
  isWhole: boolean;
  unclosed: ReadonlyMap<string, number>;
};

class TreeBuilder extends OpenTree {
  private readonly html: string;
  /** The start tag that was read last. */
  private readonly tag = newTag();

  constructor(html: string) {
    super();
    this.html = html;
  }

  build(): Tree {
    let isWhole = true;
    try {
      this.readAll();
    } catch (error) {
      if (!(error instanceof PageTooLarge)) throw error;
      isWhole = false;
    }
    while (isTag(this.top)) this.closeUnended(this.top);
    const { root, elements, marked, unclosed } = this;
    return { root, elements, marked, isWhole, unclosed };
  }

  private readAll(): void {
    const { html } = this;
    let done = 0;
    let at = html.indexOf('<');
    while (at >= 0) {
      const end = this.readMarkup(done, at);
      // Otherwise the `<` is a part of the text.
      if (end >= 0) done = end;
      at = html.indexOf('<', end < 0 ? at + 1 : end);
    }
    this.addText(done, html.length);
  }

  /**
   * Adds the text from `done` and the markup at `at`. The index after the markup; -1 if `at` is no markup.
   */
  private readMarkup(done: number, at: number): number {
    const { html } = this;
    const code = html.charCodeAt(at + 1);
    if (isLetter(code)) {
      this.addText(done, at);
      return this.readStartTag(at + 1);
    }
    if (code === sign.slash) {
      if (at + 2 === html.length) return -1;
      this.addText(done, at);
      const next = html.charCodeAt(at + 2);
      if (isLetter(next)) return this.readEndTag(at + 2);
      return next === sign.greater ? at + 3 : this.skipComment(at);
    }
    if (code !== sign.exclamation && code !== sign.question) return -1;
    this.addText(done, at);
    return code === sign.question ? this.skipComment(at) : this.readDeclaration(at);
  }

  /** Skips markup of no other kind, which is a comment. */
  private skipComment(at: number): number {
    this.countComment();
    return after(this.html, '>', at + 2);
  }

  /** Comments are not in the tree, but they separate texts. */
  private countComment(): void {
    this.countParts();
    this.lastText = undefined;
  }

  private readDeclaration(at: number): number {
    const { html } = this;
    if (html.startsWith('--', at + 2)) {
      this.countComment();
      return afterComment(html, at);
    }
    if (html.startsWith('[CDATA[', at + 2)) {
      const end = html.indexOf(']]>', at + 9);
      if (end >= 0 && this.isForeign) this.addData(html.slice(at + 9, end));
      else this.countComment();
      return end < 0 ? html.length : end + 3;
    }
    if (html.slice(at + 2, at + 9).toLowerCase() !== 'doctype') return this.skipComment(at);
    const end = html.indexOf('>', at + 9);
    if (end >= 0) this.append(new ProcessingInstruction('!doctype', html.slice(at + 1, end)));
    return end < 0 ? html.length : end + 1;
  }

  private readEndTag(start: number): number {
    const { html, top } = this;
    // Most end tags end the innermost element.
    if (isTag(top) && html.startsWith(top.name, start)) {
      const end = start + top.name.length;
      if (html.charCodeAt(end) === sign.greater) {
        this.closeTop();
        return end + 1;
      }
    }
    const at = endOfName(html, start);
    if (at === html.length) return at;
    this.close(this.tagNameIn(start, at));
    return html.charCodeAt(at) === sign.greater ? at + 1 : after(html, '>', at);
  }

  private tagNameIn(start: number, end: number): string {
    const name = nameIn(this.html, start, end);
    return name === 'image' && !this.isForeign ? 'img' : name;
  }

  private readStartTag(start: number): number {
    const { html } = this;
    let at = endOfName(html, start);
    const name = this.tagNameIn(start, at);
    const rule = elementRules.get(name);
    // A form in a form does not count.
    const isIgnored = name === 'form' && this.isOpen('form');
    if (isIgnored) this.countSearch();
    const text = this.isForeign ? undefined : rule?.text;
    if (!isIgnored) this.endOthers(rule);
    const { tag } = this;
    at = readAttributes(html, at, tag);
    this.countParts(tag.parts);
    // A page that ends in a tag is without this tag.
    if (at === html.length) return at;
    if (!isIgnored) this.open(name, tag.attributes, tag.marks);
    if (tag.isSelfClosing && this.isForeign && !isIgnored && !rule?.isVoid) this.closeTop();
    return text === undefined ? at + 1 : this.readText(name, text, at + 1);
  }

  /**
   * Adds the content of an element that has only text. The index of its end tag; the end of the page if there
   * is none.
   */
  private readText(name: string, kind: NonNullable<ElementRule['text']>, start: number): number {
    const { html } = this;
    const end = kind === 'rest' ? html.length : endOfText(html, name, start);
    if (kind === 'escaped') {
      this.addText(start, end);
      return end;
    }
    const data = html.slice(start, end);
    this.addData(kind === 'script' ? (/\S/.exec(data)?.[0] ?? '') : data);
    if (kind === 'script' && this.lastText) {
      this.lastText.startIndex = start;
      this.lastText.endIndex = end - 1;
    }
    return end;
  }

  private addText(start: number, end: number): void {
    if (start >= end) return;
    const data = this.html.slice(start, end);
    this.addData(data.includes('&') ? decodeHTML(data) : data);
  }
}

/** The tree of any text. Truncated or malformed HTML gives the tree of its readable part. */
export const buildTree = (html: string): Tree => new TreeBuilder(html).build();
