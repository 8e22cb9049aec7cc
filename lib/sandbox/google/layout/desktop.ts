/** What the desktop layouts with scripts share: the columns of the page, the parts of a result, and how blocks are drawn. */
import { type Html, html } from '../../html.ts';
import type { Block, PagePlan } from '../plan.ts';
import type { PlannedItem, Scene } from '../search-context.ts';
import { blocks } from './blocks.ts';
import { foot, head, pageLinks, searchBox } from './frame.ts';
import { crumbs, hostOf } from './parts.ts';

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

/** How a layout draws one web result, and what it puts around a result or a block. */
export type Style = { result: (item: PlannedItem) => Html; box: (inner: Html, n: number) => Html };

const draw = (block: Block, scene: Scene): Html => blocks[block.type]?.(block.items, scene) ?? html``;

/** The blocks of the results column: overviews only where the layout has them there. */
export const column = (plan: PagePlan, { result, box }: Style, before: Block['type'][]): Html[] =>
  plan.blocks
    .filter((block) => block.part === 'body' || (block.part === 'head' && before.includes(block.type)))
    .flatMap((block) =>
      block.type === 'organic'
        ? block.items.map((item, i) => box(result(item), i))
        : [box(draw(block, plan.scene), 0)],
    );

/** The blocks of one type above or below the results, without a box. */
export const blocksOf = (plan: PagePlan, part: Block['part'], type: Block['type']): Html[] =>
  plan.blocks
    .filter((block) => block.part === part && block.type === type)
    .map((block) => draw(block, plan.scene));

export const adsBelow = (plan: PagePlan): Html =>
  html`<div id="tadsb" role="region">${blocksOf(plan, 'foot', 'ad')}</div>`;

export const resultStats = ({ scene, totalResults, seconds }: PagePlan): Html => {
  const [found, took] = scene.captions.stats(
    totalResults.toLocaleString(scene.language),
    seconds.toLocaleString(scene.language, { minimumFractionDigits: 2 }),
  );
  return html`<div id="extabar"><div id="result-stats">${found}<nobr> ${took} </nobr></div></div>`;
};

/** What a layout fills in; the rest is the same on every desktop page. */
export type Filling = { stats?: Html; above?: Html; results: Html; below?: Html; side: Html | null };

export const desktopPage = (plan: PagePlan, { stats, above, results, below, side }: Filling): Html => {
  const { scene } = plan;
  const nothing = html``;
  return html`<!doctype html>
  <html itemscope="" lang="${scene.language}">
    ${head(scene)}
    <body class="srp" id="gsr">
      ${searchBox(scene)}
      <div class="main" id="main">
        <div id="cnt">
          <div id="appbar">${stats ?? nothing}</div>
          <h1 class="bNg8Rb">${scene.captions.webResults}</h1>
          <div id="rcnt">
            <div class="s6JM6d" id="center_col" role="main">
              <div id="taw">
                ${blocksOf(plan, 'head', 'spelling')}
                <div id="tvcap">
                  ${blocksOf(plan, 'head', 'shopping_ad')}
                  <div id="tads" role="region">${blocksOf(plan, 'head', 'ad')}</div>
                </div>
              </div>
              ${above ?? nothing}
              <div class="eqAnXb" id="res">
                <div id="topstuff"></div>
                <div id="search"><div><div id="rso" data-async-context="query:${encodeURIComponent(scene.asked)}">${results}</div></div></div>
              </div>
              ${below ?? nothing}
              <div id="botstuff">
                <div id="bres">${blocksOf(plan, 'foot', 'related_search').map((block) => html`<div class="ULSxyf"><div class="MjjYud">${block}</div></div>`)}</div>
                ${pageLinks(scene, plan.pages)}
              </div>
            </div>
            ${side && html`<div id="rhs">${side}</div>`}
          </div>
          ${foot(scene)}
        </div>
      </div>
    </body>
  </html>`;
};
