/**
 * Builds the tree of a page in one pass over its text. The tree is the same as that of htmlparser2, apart from what no reader looks for in a
 * tree: comments, and the text of scripts and styles after its first character. They are most of a page. htmlparser2 examines each character
 * in turn, because its input may arrive in parts. A page arrives whole, so this searches for the next sign that matters.
 */
import {
  type AnyNode,
  Document,
  Element,
  isTag,
  type ParentNode,
  ProcessingInstruction,
  Text,
} from 'domhandler';
import { decodeHTML, decodeHTMLAttribute } from 'entities/decode';

/**
 * Result pages have up to 10,000 elements, 63 levels deep, and 40,000 parts: elements, attributes, texts and comments. A page far beyond
 * that is an attempt to exhaust the parser.
 */
const limits = { elements: 50_000, depth: 500, parts: 200_000 };

export class PageTooLarge extends Error {
  override name = 'PageTooLarge';
}

type Rule = {
  /** The element has neither content nor an end tag. */
  isVoid?: true;
  /** Open elements that end where this element begins. */
  ends?: Set<string>;
  /** The content of the element: `foreign` is SVG or MathML, `html` is HTML, also inside of SVG. Absent: as around the element. */
  content?: 'foreign' | 'html';
  /** The content of the element is text. `raw`: without character references. `rest`: up to the end of the page. Not in SVG. */
  text?: 'script' | 'raw' | 'escaped' | 'rest';
};

const words = (text: string): string[] => text.split(' ');

/** Elements with these names end the elements on the right. */
const endings: [names: string, ended: string][] = [
  ['tr', 'tr th td'],
  ['th', 'th'],
  ['td', 'thead th td'],
  ['body', 'head link script'],
  ['a', 'a'],
  ['li', 'li'],
  ['h1 h2 h3 h4 h5 h6', 'h1 h2 h3 h4 h5 h6 p'],
  ['select input output button datalist textarea', 'input option optgroup select button datalist textarea'],
  ['option', 'option'],
  ['optgroup', 'optgroup option'],
  ['dd dt', 'dd dt'],
  [
    'p address article aside blockquote details div dl fieldset figcaption figure footer form header hr main nav ol pre section table ul',
    'p',
  ],
  ['rt rp', 'rt rp'],
  ['tbody tfoot', 'thead tbody'],
];

const kinds: [names: string, rule: Rule][] = [
  [
    'area base basefont br col command embed frame hr img input isindex keygen link meta param source track wbr',
    { isVoid: true },
  ],
  ['svg math', { content: 'foreign' }],
  ['mi mo mn ms mtext annotation-xml foreignobject desc title', { content: 'html' }],
  ['script style', { text: 'script' }],
  ['iframe noembed noframes xmp', { text: 'raw' }],
  ['title textarea', { text: 'escaped' }],
  ['plaintext', { text: 'rest' }],
];

const rules = new Map<string, Rule>();
for (const [names, rule] of [
  ...kinds,
  ...endings.map(([names, ended]): [string, Rule] => [names, { ends: new Set(words(ended)) }]),
]) {
  for (const name of words(names)) rules.set(name, { ...rules.get(name), ...rule });
}

const sign = {
  quote: 34,
  apostrophe: 39,
  slash: 47,
  less: 60,
  equals: 61,
  greater: 62,
  exclamation: 33,
  question: 63,
};

const isSpace = (code: number): boolean =>
  code === 32 || code === 10 || code === 9 || code === 13 || code === 12;

const isLetter = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 65 && code <= 90);

/** Whether a tag name ends before this sign. */
const endsName = (code: number): boolean => code === sign.greater || code === sign.slash || isSpace(code);

/** Names by a hash of their signs. Most names occur many times, and a new string is slow as the key of an object. */
const knownNames: string[] = Array.from({ length: 512 }, () => '');
const longestKnown = 24;

/** The name at `start`, in lower case. */
const nameIn = (html: string, start: number, end: number): string => {
  const length = end - start;
  const middle = html.charCodeAt(start + (length >> 1));
  const hash = (length * 31 + html.charCodeAt(start) * 7 + middle * 13 + html.charCodeAt(end - 1)) & 511;
  const known = knownNames[hash] ?? '';
  if (known.length === length && html.startsWith(known, start)) return known;
  const name = html.slice(start, end).toLowerCase();
  if (length > longestKnown) return name;
  // The engine copies the key of an object, so the key does not keep the whole page in memory.
  const [key = name] = Object.keys({ [name]: true });
  knownNames[hash] = key;
  return key;
};

type Attributes = Record<string, string>;

/** Without a prototype, so that all elements have attributes of the same internal type: the tests of attributes are faster then. */
const newAttributes = (): Attributes => Object.create(null);

/** The tree of a page, and its elements in page order. */
export type Tree = { root: Document; elements: Element[] };

class TreeBuilder {
  readonly root = new Document([]);
  private readonly html: string;
  /** The innermost open element, or the document. */
  private top: ParentNode = this.root;
  /** The number of open elements. */
  private depth = 0;
  private readonly elements: Element[] = [];
  private parts = 0;
  /** The text to which the next text is added, if neither a tag nor a comment is between them. */
  private lastText: Text | undefined;
  /** For each open element that begins or ends foreign content: whether it is SVG or MathML. */
  private readonly contents: boolean[] = [];
  private isForeign = false;
  /** Whether the tag that was read last ends with `/>`. */
  private isSelfClosing = false;
  constructor(html: string) {
    this.html = html;
  }

  build(): Tree {
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
    return { root: this.root, elements: this.elements };
  }

  /** Adds the text from `done` and the markup at `at`. The index after the markup; -1 if `at` is no markup. */
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

  /** The index after the next occurrence of `mark`; the end of the page if there is none. */
  private after(mark: string, from: number): number {
    const at = this.html.indexOf(mark, from);
    return at < 0 ? this.html.length : at + mark.length;
  }

  /** Skips markup of no other kind, which is a comment. */
  private skipComment(at: number): number {
    this.countComment();
    return this.after('>', at + 2);
  }

  /** Comments are not in the tree, but they separate texts. */
  private countComment(): void {
    this.countPart();
    this.lastText = undefined;
  }

  private readDeclaration(at: number): number {
    const { html } = this;
    if (html.startsWith('--', at + 2)) {
      this.countComment();
      const end = this.after('-->', at + 2);
      const oddEnd = html.slice(at + 4, end).indexOf('--!>');
      return oddEnd < 0 ? end : at + oddEnd + 8;
    }
    if (html.startsWith('[CDATA[', at + 2)) {
      const end = html.indexOf(']]>', at + 9);
      if (end >= 0 && this.isForeign) this.addData(html.slice(at + 9, end));
      else this.countComment();
      return end < 0 ? html.length : end + 3;
    }
    if (html.slice(at + 2, at + 9).toLowerCase() !== 'doctype') return this.skipComment(at);
    const end = html.indexOf('>', at + 9);
    if (end < 0) return html.length;
    this.append(new ProcessingInstruction('!doctype', html.slice(at + 1, end)));
    return end + 1;
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
    let at = start + 1;
    while (at < html.length && !endsName(html.charCodeAt(at))) at++;
    if (at === html.length) return at;
    this.close(this.tagNameIn(start, at));
    return html.charCodeAt(at) === sign.greater ? at + 1 : this.after('>', at);
  }

  private close(name: string): void {
    if (name === 'br') this.addEmpty('br');
    if (rules.get(name)?.isVoid) return;
    if (!this.isOpen(name)) {
      // Looking for its start takes long in deep pages.
      this.countPart();
      if (name === 'p') this.addEmpty('p');
      return;
    }
    while (isTag(this.top) && this.top.name !== name) this.closeTop();
    this.closeTop();
  }

  /** Adds the element of an end tag without a start tag. */
  private addEmpty(name: string): void {
    this.open(name, newAttributes());
    if (name === 'p') this.closeTop();
  }

  private isOpen(name: string): boolean {
    for (let up: ParentNode | null = this.top; up && isTag(up); up = up.parent) {
      if (up.name === name) return true;
    }
    return false;
  }

  private closeTop(): void {
    const { top } = this;
    this.lastText = undefined;
    if (!isTag(top)) return;
    if (this.contents.length > 0 && rules.get(top.name)?.content) {
      this.contents.pop();
      this.isForeign = this.contents.at(-1) === true;
    }
    this.depth--;
    this.top = top.parent ?? this.root;
  }

  private tagNameIn(start: number, end: number): string {
    const name = nameIn(this.html, start, end);
    return name === 'image' && !this.isForeign ? 'img' : name;
  }

  private readStartTag(start: number): number {
    const { html } = this;
    let at = start + 1;
    while (at < html.length && !endsName(html.charCodeAt(at))) at++;
    const name = this.tagNameIn(start, at);
    const rule = rules.get(name);
    // A form in a form does not count.
    const isIgnored = name === 'form' && this.isOpen('form');
    if (isIgnored) this.countPart();
    const text = this.isForeign ? undefined : rule?.text;
    if (!isIgnored) this.endOthers(rule);
    const attributes = newAttributes();
    at = this.readAttributes(at, attributes);
    // A page that ends in a tag is without this tag.
    if (at === html.length) return at;
    if (!isIgnored) this.open(name, attributes);
    if (this.isSelfClosing && this.isForeign && !isIgnored && !rule?.isVoid) this.closeTop();
    return text === undefined ? at + 1 : this.readText(name, text, at + 1);
  }

  /** Reads attributes until the `>` of the tag. Its index; the end of the page if there is none. */
  private readAttributes(start: number, attributes: Attributes): number {
    const { html } = this;
    const { length } = html;
    this.isSelfClosing = false;
    let at = start;
    while (at < length) {
      let code = html.charCodeAt(at);
      if (isSpace(code)) {
        at++;
        continue;
      }
      if (code === sign.greater) return at;
      if (code === sign.slash) {
        at++;
        while (at < length && isSpace(html.charCodeAt(at))) at++;
        this.isSelfClosing = html.charCodeAt(at) === sign.greater;
        continue;
      }
      const nameStart = at;
      at++;
      while (at < length) {
        code = html.charCodeAt(at);
        if (code === sign.equals || endsName(code)) break;
        at++;
      }
      const name = nameIn(html, nameStart, at);
      while (at < length && isSpace(html.charCodeAt(at))) at++;
      let value = '';
      if (html.charCodeAt(at) === sign.equals) {
        at++;
        while (at < length && isSpace(html.charCodeAt(at))) at++;
        const valueStart = at;
        code = html.charCodeAt(at);
        if (code === sign.quote || code === sign.apostrophe) {
          const valueEnd = html.indexOf(code === sign.quote ? '"' : "'", valueStart + 1);
          if (valueEnd < 0) return length;
          value = html.slice(valueStart + 1, valueEnd);
          at = valueEnd + 1;
        } else {
          while (at < length) {
            code = html.charCodeAt(at);
            if (code === sign.greater || isSpace(code)) break;
            at++;
          }
          value = html.slice(valueStart, at);
        }
        if (value.includes('&')) value = decodeHTMLAttribute(value);
      }
      this.countPart();
      if (!Object.hasOwn(attributes, name)) attributes[name] = value;
    }
    return length;
  }

  /** Adds the content of an element that has only text. The index of its end tag; the end of the page if there is none. */
  private readText(name: string, kind: NonNullable<Rule['text']>, start: number): number {
    const { html } = this;
    const end = kind === 'rest' ? html.length : this.endOfText(name, start);
    if (kind === 'escaped') {
      this.addText(start, end);
      return end;
    }
    const data = html.slice(start, end);
    if (kind !== 'script') {
      this.addData(data);
      return end;
    }
    const first = data.search(/\S/);
    if (first >= 0) this.addData(data.charAt(first));
    return end;
  }

  private endOfText(name: string, start: number): number {
    const { html } = this;
    for (let at = html.indexOf('</', start); at >= 0; at = html.indexOf('</', at + 2)) {
      const end = at + 2 + name.length;
      if (endsName(html.charCodeAt(end)) && html.slice(at + 2, end).toLowerCase() === name) return at;
    }
    return html.length;
  }

  private endOthers(rule: Rule | undefined): void {
    if (!rule?.ends) return;
    while (isTag(this.top) && rule.ends.has(this.top.name)) this.closeTop();
  }

  /** Adds an element, and opens it if it can have content. */
  private open(name: string, attributes: Attributes): void {
    this.countPart();
    if (this.elements.length >= limits.elements || this.depth >= limits.depth) throw new PageTooLarge();
    const element = new Element(name, attributes);
    this.elements.push(element);
    this.append(element);
    const rule = rules.get(name);
    if (rule?.isVoid) return;
    this.top = element;
    this.depth++;
    if (!rule?.content) return;
    this.isForeign = rule.content === 'foreign';
    this.contents.push(this.isForeign);
  }

  private addText(start: number, end: number): void {
    if (start >= end) return;
    const data = this.html.slice(start, end);
    this.addData(data.includes('&') ? decodeHTML(data) : data);
  }

  private addData(data: string): void {
    if (data === '') return;
    this.countPart();
    if (this.lastText) {
      this.lastText.data += data;
      return;
    }
    const text = new Text(data);
    this.append(text);
    this.lastText = text;
  }

  private append(node: Exclude<AnyNode, Document>): void {
    const { top } = this;
    const { children } = top;
    const last = children.at(-1);
    if (last) {
      node.prev = last;
      last.next = node;
      children.push(node);
    } else {
      // Most elements have one child. An array to which one is pushed has room for 17.
      top.children = [node];
    }
    node.parent = top;
    this.lastText = undefined;
  }

  private countPart(): void {
    this.parts++;
    if (this.parts > limits.parts) throw new PageTooLarge();
  }
}

/**
 * The tree of any text. Truncated or malformed HTML gives the tree of its readable part.
 * @throws PageTooLarge if the tree exceeds the limits.
 */
export const buildTree = (html: string): Tree => new TreeBuilder(html).build();
