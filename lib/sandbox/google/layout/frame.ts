/** What surrounds the results on every page with scripts: head with time stamp, search box, links to other pages, foot. */

import { type Html, html, scriptData } from '../../html.ts';
import { dice } from '../../seeded-random.ts';
import { pageSize } from '../search.ts';
import type { Scene } from '../search-context.ts';

/** A page's own id; its first four bytes are the time of the answer, in seconds, little endian. */
export const stamp = ({ query, page, now }: Scene): string => {
  const bytes = Buffer.alloc(16);
  Buffer.from(dice(query, page, now).hex(24), 'hex').copy(bytes, 4);
  bytes.writeUInt32LE(now >>> 0, 0);
  return bytes.toString('base64url');
};

/** The engine leaves the semicolon of its own parameters (`htl;jobs`) as it is. */
export const searchPath = (scene: Scene, query: string, more: Record<string, string> = {}): string => {
  const own = new URLSearchParams(more).toString().replaceAll('%3B', ';');
  return `/search?${new URLSearchParams({ hl: scene.language, gl: scene.country, q: query })}${own && `&${own}`}`;
};

export const pagePath = (scene: Scene, page: number): string =>
  searchPath(scene, scene.asked, { ei: stamp(scene), start: String((page - 1) * pageSize), sa: 'N' });

export const head = (scene: Scene): Html => html`
  <head>
    <meta charset="UTF-8">
    <meta content="origin" name="referrer">
    <title>${scene.asked} - ${scene.captions.engine}</title>
    ${scriptData('window.google', { kEI: stamp(scene), kHL: scene.language, kOPI: 89978449 })}
  </head>`;

export const searchBox = (scene: Scene): Html => html`
  <div id="searchform">
    <form action="/search" id="tsf" method="GET" name="f" role="search" autocomplete="off">
      <div role="combobox" aria-haspopup="listbox">
        <textarea class="gLFyf" name="q" title="${scene.captions.search}" aria-label="${scene.captions.search}">${scene.asked}</textarea>
      </div>
      <button type="submit" aria-label="${scene.captions.search}"></button>
      <input name="ei" type="hidden" value="${stamp(scene)}">
    </form>
  </div>`;

/** Numbered links to the other pages, as desktop pages have them. */
export const pageLinks = (scene: Scene, pages: number): Html => {
  const { page, captions } = scene;
  if (pages < 2) return html``;
  const numbers = Array.from({ length: Math.min(pages, 10) }, (_, i) => i + 1).map((number) =>
    number === page
      ? html`<td class="YyVfkd NKTSme">${number}</td>`
      : html`<td class="NKTSme"><a class="fl" aria-label="${captions.page} ${number}" href="${pagePath(scene, number)}">${number}</a></td>`,
  );
  return html`
    <div role="navigation">
      <table class="AaVjTc" role="presentation">
        <tr valign="top">
          ${numbers}
          ${
            page < pages
              ? html`<td aria-level="2" role="heading"><a class="LLNLxf" id="pnnext" href="${pagePath(scene, page + 1)}"><span>${captions.next}</span></a></td>`
              : null
          }
        </tr>
      </table>
    </div>`;
};

export const foot = ({ captions }: Scene): Html => html`
  <div id="sfooter" role="contentinfo">
    <div id="fbar">
      <a href="https://support.google.com/websearch/">${captions.help}</a>
      <a href="https://policies.google.com/privacy">${captions.privacy}</a>
    </div>
  </div>
  ${scriptData('window.google.loaded', true)}`;
