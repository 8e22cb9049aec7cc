/** A fetched page, its HTML parsed once: what the verdict and the readers share. */
import type { Document } from 'domhandler';
import { parseDocument } from 'htmlparser2';

export type Page = { html: string; root: Document };

/** Takes any text: what is cut or malformed gives the tree of what is there. */
export const openPage = (html: string): Page => ({ html, root: parseDocument(html) });
