/** A fetched page. Its HTML is parsed once, for the verdict and the readers. */
import { Document, DomHandler } from 'domhandler';
import { decodeHTML, decodeHTMLAttribute } from 'entities/decode';
import { Parser } from 'htmlparser2';
import { forget } from './dom.ts';

/** Scripts and styles in the tree have only the first character of their text. Their whole text is in `html`. */
export type Page = { html: string; root: Document };

/**
 * Result pages have up to 10,000 elements, 63 levels deep, and 40,000 parts: elements, attributes, texts and comments. A page far beyond
 * that is an attempt to exhaust the parser.
 */
const limits = { elements: 50_000, depth: 500, parts: 200_000 };

class PageTooLarge extends Error {
  override name = 'PageTooLarge';
}

/** Elements whose text contains no character references. In SVG, they are ordinary elements. */
const rawText = new Set(['script', 'style', 'iframe', 'noembed', 'noframes', 'xmp', 'plaintext']);

/** Elements whose content is text with character references. */
const escapedText = new Set(['title', 'textarea']);

/**
 * Builds the tree. Throws PageTooLarge once the tree exceeds the limits. Decodes the character references itself, in the few values that
 * have one: a parser that decodes them looks for them at each character of the page.
 */
class PageHandler extends DomHandler {
  private elements = 0;
  private parts = 0;
  private isInTag = false;
  private hasReference = false;
  private htmlParser: Parser | undefined;

  override onparserinit(parser: Parser): void {
    this.htmlParser = parser;
    super.onparserinit(parser);
  }

  onopentagname(): void {
    this.isInTag = true;
  }

  override onopentag(name: string, attributes: Record<string, string>): void {
    this.isInTag = false;
    this.elements++;
    this.countPart();
    // `tagStack` is the handler's own stack. Its first entry is the document.
    if (this.elements > limits.elements || this.tagStack.length > limits.depth) throw new PageTooLarge();
    if (this.hasReference) {
      for (const [key, value] of Object.entries(attributes)) {
        if (value.includes('&')) attributes[key] = decodeHTMLAttribute(value);
      }
      this.hasReference = false;
    }
    super.onopentag(name, attributes);
  }

  onattribute(_: string, value: string): void {
    this.countPart();
    if (value.includes('&')) this.hasReference = true;
  }

  /** Comments are not in the tree. A text before a comment and the text after it are one text. */
  override oncomment(): void {
    this.countPart();
  }

  override ontext(data: string): void {
    this.countPart();
    // If a page ends inside a tag, the parser may emit text from before the tag again.
    const { startIndex = 0, endIndex = 0 } = this.htmlParser ?? {};
    if (data.length > endIndex + 1 - startIndex) return;
    super.ontext(data.includes('&') && !this.isInRawText() ? decodeHTML(data) : data);
  }

  /** Whether `<!--` begins a comment here: not in a start tag, nor in an element whose content is text only. */
  canBeginComment(): boolean {
    const top = this.tagStack.at(-1);
    const isText = top && 'name' in top && (rawText.has(top.name) || escapedText.has(top.name));
    return !this.isInTag && !isText && this.htmlParser?.isInForeignContext() === false;
  }

  /** The script or style whose start tag was the last thing that was parsed. */
  emptyScript(): 'script' | 'style' | undefined {
    const top = this.tagStack.at(-1);
    if (!top || !('name' in top) || top.children.length > 0 || !this.isInRawText()) return undefined;
    return top.name === 'script' || top.name === 'style' ? top.name : undefined;
  }

  private countPart(): void {
    this.parts++;
    if (this.parts > limits.parts) throw new PageTooLarge();
  }

  private isInRawText(): boolean {
    const top = this.tagStack.at(-1);
    if (!top || !('name' in top) || !rawText.has(top.name)) return false;
    return this.htmlParser?.isInForeignContext() === false;
  }
}

/** The index of the end tag of a script or style; the end of the page if there is none. */
const endOfScript = (html: string, name: string, from: number): number => {
  for (let at = html.indexOf('</', from); at >= 0; at = html.indexOf('</', at + 2)) {
    const end = at + 2 + name.length;
    if (html.slice(at + 2, end).toLowerCase() === name && /[\s/>]/.test(html.charAt(end))) return at;
  }
  return html.length;
};

/** The index after the comment that begins at `from`; the end of the page if it is not closed. */
const endOfComment = (html: string, from: number): number => {
  const end = html.indexOf('-->', from + 2);
  return end < 0 ? html.length : end + 3;
};

/**
 * Parses a page without the text of its scripts and styles and without its comments, which are most of a page, and which no reader looks
 * for in the tree.
 */
const parseInto = (handler: PageHandler, html: string): void => {
  const parser = new Parser(handler, { decodeEntities: false });
  // Comments that end with `--!>` are rare, so the parser looks for the ends of all comments of such a page.
  const skipped = html.includes('--!>') ? /<(?:script|style)\b/gi : /<(?:script|style)\b|(?<=>)<!--/gi;
  let parsed = 0;
  for (let found = skipped.exec(html); found; found = skipped.exec(html)) {
    if (found[0] === '<!--') {
      parser.write(html.slice(parsed, found.index));
      parsed = found.index;
      if (!handler.canBeginComment()) continue;
      // This also ends a comment that began after a text.
      parser.write('<!---->');
      parsed = endOfComment(html, found.index);
      skipped.lastIndex = parsed;
      continue;
    }
    const end = html.indexOf('>', skipped.lastIndex) + 1;
    if (end === 0) break;
    parser.write(html.slice(parsed, end));
    parsed = end;
    skipped.lastIndex = end;
    const name = handler.emptyScript();
    if (!name) continue;
    const close = endOfScript(html, name, end);
    const firstCharacter = html.slice(end, close).search(/\S/);
    if (firstCharacter >= 0) parser.write(html.charAt(end + firstCharacter));
    parsed = close;
    skipped.lastIndex = close;
  }
  parser.end(html.slice(parsed));
};

/**
 * Parses any text. Truncated or malformed HTML gives the tree of its readable part. A page with more elements or levels than any
 * result page gives an empty tree, which no verdict accepts as results.
 */
export const parseHtml = (html: string): Page => {
  forget();
  const handler = new PageHandler();
  try {
    parseInto(handler, html);
    return { html, root: handler.root };
  } catch (error) {
    if (!(error instanceof PageTooLarge)) throw error;
    return { html, root: new Document([]) };
  }
};
