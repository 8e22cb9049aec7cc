/** A fetched page. Its HTML is parsed once, for the verdict and the readers. */
import { Document, DomHandler } from 'domhandler';
import { Parser } from 'htmlparser2';

export type Page = { html: string; root: Document };

/** Result pages have up to 10,000 nodes, 63 levels deep. A page far beyond that is an attempt to exhaust the parser. */
const limits = { elements: 100_000, depth: 500 };

class PageTooLarge extends Error {
  override name = 'PageTooLarge';
}

/** Builds the tree. Throws PageTooLarge once the tree exceeds the limits. */
class BoundedHandler extends DomHandler {
  private elements = 0;

  override onopentag(name: string, attributes: Record<string, string>): void {
    this.elements++;
    // `tagStack` is the handler's own stack. Its first entry is the document.
    if (this.elements > limits.elements || this.tagStack.length > limits.depth) throw new PageTooLarge();
    super.onopentag(name, attributes);
  }
}

/**
 * Parses any text. Truncated or malformed HTML gives the tree of its readable part. A page with more elements or levels than any
 * result page gives an empty tree, which no verdict accepts as results.
 */
export const parseHtml = (html: string): Page => {
  const handler = new BoundedHandler();
  try {
    new Parser(handler).end(html);
    return { html, root: handler.root };
  } catch (error) {
    if (!(error instanceof PageTooLarge)) throw error;
    return { html, root: new Document([]) };
  }
};
