/** The frame around the results: head with the page id, search box, links to other pages, footer. */

import { type Html, html, scriptData } from '../../html.ts';
import type { Language } from '../../search.ts';
import type { SearchContext } from '../../search-context.ts';
import { seededRandom } from '../../seeded-random.ts';
import { pageSize } from '../search.ts';

/** The engine's name in the title of its pages. */
export const engineTitle: Record<Language, string> = {
  en: 'Google Search',
  de: 'Google Suche',
  fr: 'Recherche Google',
  es: 'Buscar con Google',
};

/** The page's id. Its first four bytes are the time of the response, in Unix seconds, little endian. */
export const pageId = ({ query, page, now }: SearchContext): string => {
  const bytes = Buffer.alloc(16);
  Buffer.from(seededRandom(query, page, now).hex(24), 'hex').copy(bytes, 4);
  bytes.writeUInt32LE(now >>> 0, 0);
  return bytes.toString('base64url');
};

/** The path of a search. The engine does not encode the semicolon in its own parameters (`htl;jobs`). */
export const searchPath = (
  context: SearchContext,
  query: string,
  more: Record<string, string> = {},
): string => {
  const extra = new URLSearchParams(more).toString().replaceAll('%3B', ';');
  return `/search?${new URLSearchParams({ hl: context.language, gl: context.country, q: query })}${extra && `&${extra}`}`;
};

export const pagePath = (context: SearchContext, page: number): string =>
  searchPath(context, context.rawQuery, {
    ei: pageId(context),
    start: String((page - 1) * pageSize),
    sa: 'N',
  });

export const head = (context: SearchContext): Html => html`
  <head>
    <meta charset="UTF-8">
    <meta content="origin" name="referrer">
    <title>${context.rawQuery} - ${engineTitle[context.language]}</title>
    ${scriptData('window.google', { kEI: pageId(context), kHL: context.language, kOPI: 89978449 })}
  </head>`;

export const searchBox = (context: SearchContext): Html => html`
  <div id="searchform">
    <form action="/search" id="tsf" method="GET" name="f" role="search" autocomplete="off">
      <div role="combobox" aria-haspopup="listbox">
        <textarea class="gLFyf" name="q" title="${context.captions.search}" aria-label="${context.captions.search}">${context.rawQuery}</textarea>
      </div>
      <button type="submit" aria-label="${context.captions.search}"></button>
      <input name="ei" type="hidden" value="${pageId(context)}">
    </form>
  </div>`;

/** The numbered links of desktop pages to the other pages. The row is empty if there is only one page. */
export const pageLinks = (context: SearchContext, pages: number): Html => {
  const { page, captions } = context;
  const shown = pages < 2 ? 0 : Math.min(pages, 10);
  const numbers = Array.from({ length: shown }, (_, i) => i + 1).map((number) =>
    number === page
      ? html`<td class="YyVfkd NKTSme">${number}</td>`
      : html`<td class="NKTSme"><a class="fl" aria-label="${captions.page} ${number}" href="${pagePath(context, number)}">${number}</a></td>`,
  );
  return html`
    <div role="navigation">
      <table class="AaVjTc" role="presentation">
        <tr valign="top">
          ${numbers}
          ${
            page < pages
              ? html`<td aria-level="2" role="heading"><a class="LLNLxf" id="pnnext" href="${pagePath(context, page + 1)}"><span>${captions.next}</span></a></td>`
              : null
          }
        </tr>
      </table>
    </div>`;
};

export const foot = ({ captions }: SearchContext): Html => html`
  <div id="sfooter" role="contentinfo">
    <div id="fbar">
      <a href="https://support.google.com/websearch/">${captions.help}</a>
      <a href="https://policies.google.com/privacy">${captions.privacy}</a>
    </div>
  </div>
  ${scriptData('window.google.loaded', true)}`;
