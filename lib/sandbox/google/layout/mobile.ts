/**
 * The shared parts of the mobile layouts: the page around the results, the parts of a result, and the drawing
 * of blocks. A block that looks like that of the desktop page is drawn again where the engine gives it other
 * classes.
 */
import type { ItemType } from '../../../model/result.ts';
import { type Html, html } from '../../html.ts';
import type { Block } from '../../plan.ts';
import type { PlannedItem, SearchContext } from '../../search-context.ts';
import { hostOf } from '../../words.ts';
import type { PagePlan } from '../plan.ts';
import { blocks, questions } from './blocks.ts';
import { foot, head, pagePath, searchBox } from './frame.ts';
import { panel } from './panel.ts';
import { caption, clickCounter, type DrawBlock, ratingRow, stars } from './parts.ts';

/** A result's link, without `h3` and `cite`. The site's name and address are above the title. */
export const titleLink = (item: PlannedItem): Html => html`
  <a class="UBFage" href="${item.url}"${item.type === 'ad' ? html` data-rw="${clickCounter(item)}"` : null}>
    <div class="N54PNb">
      <div class="GkAmnd">${hostOf(item.url)}</div>
      <span class="nC62wb" role="text">${item.breadcrumb}</span>
    </div>
    <div class="F0FGWb" role="heading" aria-level="3"><div role="link"><span>${item.title}</span></div></div>
  </a>`;

export const details = (item: PlannedItem): Html => html`
  <div class="kb0PBd" data-sncf="1"><div class="VwiC3b">${item.date ? html`<span class="YrbPuc"><span>${item.date}</span> — </span>` : null}${item.snippet}</div></div>
  ${ratingRow(item)}
  ${item.sitelinks ? html`<div class="P1usbc">${item.sitelinks.map((link) => html`<div><a href="${link.url}"><span>${link.title}</span></a></div>`)}</div>` : null}`;

const ad: DrawBlock = (items, { captions }) => html`
  <div><span role="heading" aria-level="2">${captions.sponsored}</span></div>
  ${items.map(
    (item, i) => html`
    <div data-hb="${item.block === 'top' ? 't' : 'b'}">
      <div data-text-ad="1" data-ta-slot-pos="${i + 1}">
        <div class="uIV6Ge">${titleLink(item)}</div>
        <div class="p4wth">${item.snippet}</div>
        ${item.sitelinks ? html`<div>${item.sitelinks.map((link) => html`<div><a href="${link.url}" data-rw="${clickCounter(link)}" data-ae="1">${link.title}</a></div>`)}</div>` : null}
      </div>
    </div>`,
  )}`;

/** The source of an answer: the address, and below it the title with the link. */
const answerLink = (url: string, title: string, breadcrumb: string): Html => html`
  <div class="V1nn0e">
    <div class="uo4vr"><cite class="tLk3Jb" role="text">${breadcrumb}</cite></div>
    <h3 class="yuRUbf"><div><span><a class="sXtWJb" jsname="UWckNb" href="${url}">${title}</a></span></div></h3>
  </div>`;

const featuredSnippet: DrawBlock = ([item], { captions }) => html`
  <div class="xpdopen">
    <div class="ifM9O">
      <h2 class="bNg8Rb">${captions.featured}</h2>
      <div class="wDYxhc" data-md="61"><div class="LGOjhe" data-attrid="wa:/description"><span class="hgKElc">${item?.snippet ?? ''}</span></div></div>
      ${item ? answerLink(item.url, item.title, item.breadcrumb) : null}
    </div>
  </div>`;

const localPack: DrawBlock = (items, { captions }) => html`
  <div class="xxAJT">
    ${caption(captions.places)}
    ${items.map(
      (item) => html`
      <div role="button" data-ictx="1">
        <div class="aJOXUd">
          <a class="d5UWff" href="/searchviewer/10?output=search#place=${encodeURIComponent(item.title)}">
            <div class="rllt__details">
              <div class="tNxQIb" role="heading" aria-level="3"><span>${item.title}</span></div>
              <div>${stars(item)} · ${item.category ?? ''}</div>
              <div>${item.snippet} · ${item.phone ?? ''}</div>
            </div>
          </a>
          <a href="${item.url}" role="button"><span>${captions.website}</span></a>
        </div>
      </div>`,
    )}
  </div>`;

const peopleAlsoAsk = questions(null, (url) => answerLink(url, hostOf(url), `https://${hostOf(url)}`));

const relatedSearch: DrawBlock = (items, context) =>
  html`<div class="Wt5Tfe">${blocks.related_search?.(items, context) ?? null}</div>`;

const mobileBlocks: Partial<Record<ItemType, DrawBlock>> = {
  ...blocks,
  ad,
  featured_snippet: featuredSnippet,
  people_also_ask: peopleAlsoAsk,
  local_pack: localPack,
  related_search: relatedSearch,
  knowledge_panel: ([item], context) => html`<div class="kp-blk">${item ? panel(item, context) : null}</div>`,
};

export const draw = ({ type, items }: Block, context: SearchContext): Html =>
  type === 'ad'
    ? html`<div id="${items[0]?.block === 'top' ? 'tads' : 'tadsb'}" role="region">${ad(items, context)}</div>`
    : (mobileBlocks[type]?.(items, context) ?? html``);

export const mobilePage = (plan: PagePlan, rso: Html, below: Html): Html => {
  const { context } = plan;
  return html`<!doctype html>
  <html lang="${context.language}">
    ${head(context)}
    <body class="srp">
      <header>${searchBox(context)}</header>
      <div id="gsr">
        <div class="main" id="main">
          <div id="cnt">
            <h1 class="bNg8Rb">${context.captions.webResults}</h1>
            <div class="center_col" id="center_col">
              <div id="taw">${plan.blocks.filter((block) => block.type === 'spelling').map((block) => draw(block, context))}</div>
              <div id="topstuff"></div>
              <div class="rso" id="rso" data-async-context="query:${encodeURIComponent(context.rawQuery)}">${rso}</div>
              <div id="botstuff">
                ${below}
                ${
                  context.page < plan.pages
                    ? html`<a class="T7sFge" role="button" href="${pagePath(context, context.page + 1)}" aria-label="${context.captions.more}"><div>${context.captions.more}</div></a>`
                    : null
                }
              </div>
            </div>
            ${foot(context)}
          </div>
        </div>
      </div>
    </body>
  </html>`;
};

export const related = (block: Block, context: SearchContext) =>
  html`<div id="bres"><div class="MjjYud">${draw(block, context)}</div></div>`;

/** Splits the column at the related searches. The page shows the blocks below them when the user scrolls. */
export const split = ({ blocks }: PagePlan) => {
  const main = blocks.filter((block) => block.type !== 'spelling');
  const at = main.findIndex((block) => block.type === 'related_search');
  return at < 0
    ? { above: main, middle: [], below: [] }
    : { above: main.slice(0, at), middle: [main[at]!], below: main.slice(at + 1) };
};
