/**
 * The shared parts of the desktop layouts with scripts: the columns of the page, the parts of a result, and
 * the drawing of blocks.
 */
import { type Html, html } from '../../html.ts';
import type { Block } from '../../plan.ts';
import type { PlannedItem, SearchContext } from '../../search-context.ts';
import { hostOf } from '../../words.ts';
import type { PagePlan } from '../plan.ts';
import { blocks } from './blocks.ts';
import { foot, head, pageLinks, searchBox } from './frame.ts';
import { crumbs } from './parts.ts';

export const titleLink = (item: PlannedItem, className: string): Html => html`
  <a class="${className}" jsname="UWckNb" href="${item.url}">
    <h3 class="LC20lb MBeuO DKV0Md">${item.title}</h3>
    <div class="notranslate">
      <span class="VuuXrf">${hostOf(item.url)}</span>
      <div class="byrV5b"><cite class="qLRx3b tjvcx" role="text">${crumbs(item.breadcrumb)}</cite></div>
    </div>
  </a>`;

export const date = (item: PlannedItem): Html =>
  item.date ? html`<span class="YrbPuc"><span>${item.date}</span> — </span>` : html``;

/** How a layout draws one web result (`result`) and the box around a result or a block (`box`). */
export type Style = { result: (item: PlannedItem) => Html; box: (inner: Html, n: number) => Html };

const draw = (block: Block, context: SearchContext): Html =>
  blocks[block.type]?.(block.items, context) ?? html``;

/**
 * The blocks of the results column. `before`: the types of head blocks that the layout puts into this column.
 */
export const column = (plan: PagePlan, { result, box }: Style, before: Block['type'][]): Html[] =>
  plan.blocks
    .filter((block) => block.part === 'body' || (block.part === 'head' && before.includes(block.type)))
    .flatMap((block) =>
      block.type === 'organic'
        ? block.items.map((item, i) => box(result(item), i))
        : [box(draw(block, plan.context), 0)],
    );

/** The blocks of one type in one part of the page, without a box. */
export const blocksOf = (plan: PagePlan, part: Block['part'], type: Block['type']): Html[] =>
  plan.blocks
    .filter((block) => block.part === part && block.type === type)
    .map((block) => draw(block, plan.context));

export const adsBelow = (plan: PagePlan): Html =>
  html`<div id="tadsb" role="region">${blocksOf(plan, 'foot', 'ad')}</div>`;

export const resultStats = ({ context, totalResults, seconds }: PagePlan): Html => {
  const [found, took] = context.captions.stats(
    totalResults.toLocaleString(context.language),
    seconds.toLocaleString(context.language, { minimumFractionDigits: 2 }),
  );
  return html`<div id="extabar"><div id="result-stats">${found}<nobr> ${took} </nobr></div></div>`;
};

/** The parts that differ between layouts. The rest is the same on every desktop page. */
type DesktopParts = { stats?: Html; above?: Html; results: Html; below?: Html; side: Html | null };

export const desktopPage = (plan: PagePlan, { stats, above, results, below, side }: DesktopParts): Html => {
  const { context } = plan;
  const empty = html``;
  return html`<!doctype html>
  <html itemscope="" lang="${context.language}">
    ${head(context)}
    <body class="srp" id="gsr">
      ${searchBox(context)}
      <div class="main" id="main">
        <div id="cnt">
          <div id="appbar">${stats ?? empty}</div>
          <h1 class="bNg8Rb">${context.captions.webResults}</h1>
          <div id="rcnt">
            <div class="s6JM6d" id="center_col" role="main">
              <div id="taw">
                ${blocksOf(plan, 'head', 'spelling')}
                <div id="tvcap">
                  ${blocksOf(plan, 'head', 'shopping_ad')}
                  <div id="tads" role="region">${blocksOf(plan, 'head', 'ad')}</div>
                </div>
              </div>
              ${above ?? empty}
              <div class="eqAnXb" id="res">
                <div id="topstuff"></div>
                <div id="search"><div><div id="rso" data-async-context="query:${encodeURIComponent(context.rawQuery)}">${results}</div></div></div>
              </div>
              ${below ?? empty}
              <div id="botstuff">
                <div id="bres">${blocksOf(plan, 'foot', 'related_search').map((block) => html`<div class="ULSxyf"><div class="MjjYud">${block}</div></div>`)}</div>
                ${pageLinks(context, plan.pages)}
              </div>
            </div>
            ${side && html`<div id="rhs">${side}</div>`}
          </div>
          ${foot(context)}
        </div>
      </div>
    </body>
  </html>`;
};
