/** A fetched page, its HTML parsed once: what the verdict and the readers share. */
import { Document, DomHandler } from 'domhandler';
import { Parser } from 'htmlparser2';

export type Page = { html: string; root: Document };

/** Result pages have up to 10,000 nodes, 63 deep. What goes far beyond is made to keep its reader busy. */
const most = { elements: 100_000, depth: 500 };

class TooMuch extends Error {
  override name = 'TooMuch';
}

/** Builds the tree until there is too much of it. */
class BoundedHandler extends DomHandler {
  private elements = 0;

  override onopentag(name: string, attributes: Record<string, string>): void {
    this.elements++;
    // The handler's own stack: the document is the first on it.
    if (this.elements > most.elements || this.tagStack.length > most.depth) throw new TooMuch();
    super.onopentag(name, attributes);
  }
}

/**
 * Takes any text: what is cut or malformed gives the tree of what is there. A page of more elements, or deeper ones, than any
 * result page has gives an empty tree, which no verdict takes for results.
 */
export const parseHtml = (html: string): Page => {
  const handler = new BoundedHandler();
  try {
    new Parser(handler).end(html);
    return { html, root: handler.root };
  } catch (error) {
    if (!(error instanceof TooMuch)) throw error;
    return { html, root: new Document([]) };
  }
};
