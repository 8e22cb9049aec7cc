/** A tree that grows: the open elements, the elements and texts in them, and what the page has used up. */
import { type AnyNode, Document, Element, isTag, type ParentNode, Text } from 'domhandler';
import { type ElementRule, elementRules } from './element-rules.ts';
import { listedMarks } from './marks.ts';
import { newAttributes } from './markup.ts';
import { limits, PageTooLarge } from './page-limits.ts';

/**
 * The tree while its page is read. Start tags open elements in it, end tags and other start tags close them.
 * Throws PageTooLarge when the page exceeds the limits.
 */
export class OpenTree {
  readonly root = new Document([]);
  readonly elements: Element[] = [];
  /** The elements with an attribute of a kind that passes over the whole page look for. */
  readonly marked: Element[] = [];
  /** By name, how many more elements begin than end by a tag for them; negative if more end. */
  readonly unclosed = new Map<string, number>();
  protected isForeign = false;
  /** The innermost open element, or the document. */
  protected top: ParentNode = this.root;
  /** The text to which the next text is added, if neither a tag nor a comment is between them. */
  protected lastText: Text | undefined;
  /** The number of open elements. */
  private depth = 0;
  private parts = 0;
  /** For each open element that begins or ends foreign content: whether it is SVG or MathML. */
  private readonly contents: boolean[] = [];

  protected close(name: string): void {
    if (name === 'br') this.addEmpty('br');
    if (elementRules.get(name)?.isVoid) return;
    if (!this.canEnd(name)) {
      this.countSearch();
      this.countUnclosed(name, -1);
      if (name === 'p') this.addEmpty('p');
      return;
    }
    while (isTag(this.top) && this.top.name !== name) this.closeUnended(this.top);
    this.closeTop();
  }

  protected countUnclosed(name: string, count: number): void {
    this.unclosed.set(name, (this.unclosed.get(name) ?? 0) + count);
  }

  /** Closes the innermost element, which has no end tag here. */
  protected closeUnended({ name }: Element): void {
    this.countUnclosed(name, 1);
    this.closeTop();
  }

  /** Adds the element of an end tag without a start tag. */
  protected addEmpty(name: string): void {
    this.open(name, newAttributes(), 0);
    if (name === 'p') this.closeTop();
  }

  protected isOpen(name: string): boolean {
    for (let up: ParentNode | null = this.top; up && isTag(up); up = up.parent) {
      if (up.name === name) return true;
    }
    return false;
  }

  /**
   * Whether an end tag ends an open element. As in browsers, that of a phrase ends no part of the layout
   * around it. A link may contain parts. That of a `div` ends no list of results: it is one too many.
   */
  protected canEnd(name: string): boolean {
    const isPhrase = name !== 'a' && !elementRules.get(name)?.isPart;
    for (let up: ParentNode | null = this.top; up && isTag(up); up = up.parent) {
      if (up.name === name) return true;
      if (isPhrase ? elementRules.get(up.name)?.isPart : name === 'div' && up.name === 'ol') return false;
    }
    return false;
  }

  protected closeTop(): void {
    const { top } = this;
    this.lastText = undefined;
    if (!isTag(top)) return;
    top.end = this.elements.length;
    if (this.contents.length > 0 && elementRules.get(top.name)?.content) {
      this.contents.pop();
      this.isForeign = this.contents.at(-1) === true;
    }
    this.depth--;
    this.top = top.parent ?? this.root;
  }

  protected endOthers(rule: ElementRule | undefined): void {
    if (rule?.ends) while (isTag(this.top) && rule.ends.has(this.top.name)) this.closeUnended(this.top);
    if (rule?.endsItems) this.endItem(rule.endsItems);
  }

  /** As in browsers, the next item of a list ends the open one, even if boxes in it were not closed. */
  private endItem(names: ReadonlySet<string>): void {
    for (let up: ParentNode | null = this.top; up && isTag(up); up = up.parent) {
      if (names.has(up.name)) {
        while (this.top !== up && isTag(this.top)) this.closeUnended(this.top);
        this.closeUnended(up);
        return;
      }
      const rule = elementRules.get(up.name);
      if (rule?.isPart && !rule.isBox) break;
    }
    this.countSearch();
  }

  /** Adds an element, and opens it if it can have content. */
  protected open(name: string, attributes: Element['attribs'], marks: number): void {
    this.countParts();
    if (this.elements.length >= limits.elements || this.depth >= limits.depth) throw new PageTooLarge();
    const element = new Element(name, attributes);
    element.marks = marks;
    element.order = this.elements.length;
    this.elements.push(element);
    if ((marks & listedMarks) !== 0) this.marked.push(element);
    // The end of an open element moves when it closes.
    element.end = this.elements.length;
    this.append(element);
    const rule = elementRules.get(name);
    if (rule?.isVoid) return;
    this.top = element;
    this.depth++;
    if (!rule?.content) return;
    this.isForeign = rule.content === 'foreign';
    this.contents.push(this.isForeign);
  }

  protected addData(data: string): void {
    if (data === '') return;
    this.countParts();
    if (this.lastText) {
      this.lastText.data += data;
      return;
    }
    const text = new Text(data);
    this.append(text);
    this.lastText = text;
  }

  protected append(node: Exclude<AnyNode, Document>): void {
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

  /** Counts a search among the open elements in vain: passing 32 of them takes as long as adding a part. */
  protected countSearch(): void {
    this.countParts(1 + (this.depth >> 5));
  }

  protected countParts(count = 1): void {
    this.parts += count;
    if (this.parts > limits.parts) throw new PageTooLarge();
  }
}
