/**
 * The page around the results: the search box, the two columns, the row of page numbers. Phones get no right
 * column.
 */
import { type Html, html } from '../html.ts';
import type { PagePlan } from '../plan.ts';
import type { SearchContext } from '../search-context.ts';
import { seededRandom } from '../seeded-random.ts';
import { unknownStream } from '../stream.ts';
import { wallPage } from '../walls.ts';
import { draw, searchPath } from './blocks.ts';
import { pageSize } from './search.ts';

/** The page's id. Its first eight digits are the time of the response, in Unix seconds. */
const eventId = ({ query, page, now }: SearchContext): string =>
  now.toString(16).padStart(8, '0') + seededRandom(query, page, now).hex(24);

const frame = (context: SearchContext, content: Html): Html => html`<!doctype html>
  <html lang="${context.language}">
    <head>
      <meta charset="UTF-8">
      ${context.device === 'mobile' ? html`<meta name="mobileoptimized" content="0">` : null}
      <title>${context.rawQuery} - ${context.captions.search}</title>
      <script>_G={EventID:"${eventId(context)}"};</script>
    </head>
    <body>
      <header id="b_header"><form action="/search" id="sb_form"><input id="sb_form_q" name="q" type="search" value="${context.rawQuery}"></form></header>
      ${content}
      <footer id="b_footer"><a href="/privacy">${context.captions.privacy}</a></footer>
    </body>
  </html>`;

/** The current page has its number, and no link. */
const pageLinks = ({ rawQuery, page, captions }: SearchContext, pages: number): Html => {
  const pathOf = (number: number) => searchPath(rawQuery, { first: String((number - 1) * pageSize + 1) });
  const numbers = Array.from({ length: Math.min(pages, 10) }, (_, i) => i + 1);
  return html`
    <li class="b_pag">
      <nav role="navigation">
        <ul>
          ${numbers.map((number) =>
            number === page
              ? html`<li><a class="sb_pagS">${number}</a></li>`
              : html`<li><a href="${pathOf(number)}">${number}</a></li>`,
          )}
          ${page < pages ? html`<li><a class="sb_pagN" href="${pathOf(page + 1)}">${captions.next}</a></li>` : null}
        </ul>
      </nav>
    </li>`;
};

const column = (items: Html): Html => html`<ol id="b_results">${items}</ol>`;

export const nothingFoundPage = (context: SearchContext): Html => {
  const { nothing, suggestions } = context.captions;
  const time = new Date(context.now * 1000).toISOString().replace(/\.\d+/, '');
  return frame(
    context,
    html`
    <div id="b_content">
      <main>${column(html`
        <li class="b_no">
          <h1>${nothing[0]} <strong>${context.rawQuery}</strong> ${nothing[1]}</h1>
          <ul>${suggestions.map((suggestion) => html`<li>${suggestion}</li>`)}</ul>
          <p>Ref A: ${eventId(context)} Ref C: ${time}</p>
        </li>`)}</main>
    </div>`,
  );
};

/** Draws a planned page. A page after the last one says that nothing was found. */
export const drawPage = ({ context, blocks, side, pages, totalResults }: PagePlan): string => {
  if (blocks.length === 0) return nothingFoundPage(context).markup;
  const [found] = context.captions.stats(totalResults.toLocaleString(context.language), '');
  return frame(
    context,
    html`
    <div id="b_content">
      <main>
        <div id="b_tween"><span class="sb_count">${found}</span></div>
        ${column(html`
          ${blocks.map(({ type, items }) => draw(type, items, context))}
          ${pages > 1 ? pageLinks(context, pages) : null}`)}
      </main>
      ${side.length > 0 ? html`<aside><ol id="b_context">${side.map((item) => draw(item.type, [item], context))}</ol></aside>` : null}
    </div>`,
  ).markup;
};

/** An unknown layout: the frame of an ordinary page around unknown markup. */
export const driftPage = (plan: PagePlan): Html => frame(plan.context, unknownStream(plan));

/** A page without results. */
export const scriptWall = (context: SearchContext, cookie: string): Html => wallPage('Bing', context, cookie);
