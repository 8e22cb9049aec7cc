/** The page around the results: the search box, the lists of the two columns, the row of page numbers. */
import { type Html, html } from '../html.ts';
import type { Block, PagePlan } from '../plan.ts';
import type { SearchContext } from '../search-context.ts';
import { unknownStream } from '../stream.ts';
import { wallPage } from '../walls.ts';
import { draw } from './blocks.ts';
import { searchPath } from './link.ts';
import { pageSize } from './search.ts';

const frame = (context: SearchContext, content: Html): Html => html`<!doctype html>
  <html lang="${context.language}">
    <head>
      <meta charset="UTF-8">
      <title>${context.rawQuery} - Yahoo</title>
    </head>
    <body>
      <header id="hd">
        <form action="/search" role="search"><input name="p" type="text" value="${context.rawQuery}"></form>
        <a href="${searchPath(context, context.rawQuery)}">${context.captions.webResults}</a>
      </header>
      ${content}
      <footer id="ft"><a href="/privacy">${context.captions.privacy}</a></footer>
    </body>
  </html>`;

/** The column of results. `lists`: the items of each list. */
const column = (lists: readonly Html[]): Html => html`
  <div id="left"><div id="main"><div id="web">${lists.map((items) => html`<ol>${items}</ol>`)}</div></div></div>`;

/** The current page has its number, and no link. */
const pageLinks = (context: SearchContext, pages: number): Html => {
  const { rawQuery, page, captions } = context;
  const pathOf = (number: number, more: Record<string, string> = {}) =>
    searchPath(context, rawQuery, {
      b: String((number - 1) * pageSize + 1),
      pz: String(pageSize),
      ...more,
    });
  const numbers = Array.from(
    { length: Math.min(pages, 5) },
    (_, i) => i + Math.max(1, Math.min(page - 2, pages - 4)),
  );
  return html`
    <li>
      <div class="compPagination">
        ${numbers.map((number) =>
          number === page
            ? html`<strong>${number}</strong>`
            : html`<a href="${pathOf(number)}">${number}</a>`,
        )}
        ${page < pages ? html`<a class="next" href="${pathOf(page + 1, { pstart: '1' })}">${captions.next}</a>` : null}
      </div>
    </li>`;
};

export const nothingFoundPage = (context: SearchContext): Html => {
  const { nothing, suggestions } = context.captions;
  const sentence = html`<li><p>${nothing[0]} <strong>${context.rawQuery}</strong> ${nothing[1]}</p></li>`;
  return frame(
    context,
    html`<div id="results">${column([sentence])}<div>${suggestions.join(' ')}</div></div>`,
  );
};

/** The blocks of these types above the list of results. */
const aboveTypes = ['spelling', 'ad', 'shopping_ad'];

const isAbove = ({ part, type }: Block): boolean => part === 'head' && aboveTypes.includes(type);

/** Draws a planned page. A page after the last one says that nothing was found. */
export const drawPage = ({ context, blocks, side, pages, totalResults }: PagePlan): string => {
  if (blocks.length === 0) return nothingFoundPage(context).markup;
  const [found] = context.captions.stats(totalResults.toLocaleString(context.language), '');
  const drawn = (test: (block: Block) => boolean) =>
    html`${blocks.filter(test).map(({ type, items }) => draw(type, items, context))}`;
  return frame(
    context,
    html`
    <div id="results">
      ${column([
        html`<li><span>${found}</span></li>${drawn(isAbove)}`,
        drawn((block) => block.part !== 'foot' && !isAbove(block)),
        html`${drawn(({ part }) => part === 'foot')}${pages > 1 ? pageLinks(context, pages) : null}`,
      ])}
      ${side.length > 0 ? html`<div id="right"><ol>${side.map((item) => draw(item.type, [item], context))}</ol></div>` : null}
    </div>`,
  ).markup;
};

/** An unknown layout: the frame of an ordinary page around unknown markup. */
export const driftPage = (plan: PagePlan): Html => frame(plan.context, unknownStream(plan));

/** A page without results. */
export const scriptWall = (context: SearchContext, cookie: string): Html =>
  wallPage('Yahoo', context, cookie);
