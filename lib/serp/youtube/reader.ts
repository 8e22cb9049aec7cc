/** Reads a YouTube result page, of a desktop or a phone, or an answer of the engine's search interface, and converts it to result items. */
import type { ParsedPage } from '../../model/result.ts';
import type { EngineReader } from '../engine.ts';
import { readData as findData } from './data.ts';
import { readData } from './reading.ts';
import { sites } from './site.ts';
import { testimonyOf } from './testimony.ts';
import { judgePage, type Page } from './verdict.ts';

export const openPage = (body: string): Page => {
  const data = findData(body);
  return { body, data, reading: readData(data ?? {}) };
};

/**
 * Reads the content of a page. Never throws, whatever the body. There is no `total_results`: the data has an estimate, but the page does not show
 * it. There is a next page if the page can load more: only a page without such a link is known to be the last.
 */
export const readPage = ({ data, reading }: Page): ParsedPage => {
  const { asked, searched } = testimonyOf(data ?? {}, reading);
  return {
    left: reading.left,
    right: reading.right,
    total_results: '',
    search_time: null,
    query: asked || searched,
    has_next: reading.tokens.length > 0,
    unclaimed: reading.unclaimed,
  };
};

export const reader: EngineReader = {
  open: (body) => {
    const page = openPage(body);
    return { read: () => readPage(page), judge: (parsed, fetch) => judgePage(page, parsed, fetch) };
  },
  hiddenLinks: { of: () => [], readLocation: () => null },
  sites,
};
