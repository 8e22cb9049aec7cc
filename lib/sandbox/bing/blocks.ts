/**
 * The items of the lists of results: one drawing function per type, for desktop pages and for pages for
 * phones.
 */
import type { ItemType } from '../../model/result.ts';
import { type Html, html } from '../html.ts';
import type { PlannedItem, SearchContext } from '../search-context.ts';
import { seededRandom } from '../seeded-random.ts';
import { hostOf } from '../words.ts';
import { adLink } from './link.ts';

type DrawItems = (items: PlannedItem[], context: SearchContext) => Html;

/** The path of a search, or of one of the engine's other services. */
export const searchPath = (
  query: string,
  more: Record<string, string> = {},
  service: '' | '/images' | '/videos' | '/news' = '',
): string => `${service}/search?${new URLSearchParams({ q: query, ...more }).toString()}`;

const block = (inner: Html): Html => html`<li class="b_ans">${inner}</li>`;

/** `4.5/5 (112)`. */
const stars = ({ rating, reviews }: PlannedItem): string => (rating ? `${rating}/5 (${reviews ?? ''})` : '');

const facts = (...parts: (string | undefined)[]): Html | null => {
  const shown = parts.filter((part) => part);
  return shown.length > 0 ? html`<div class="b_factrow">${shown.join(' · ')}</div>` : null;
};

const address = ({ breadcrumb }: PlannedItem): Html =>
  html`<div class="b_attribution"><cite>${breadcrumb}</cite></div>`;

/** Desktop: the site above the title. Phone: the link is around the title and the address. */
const titleOf = (item: PlannedItem, { device }: SearchContext): Html =>
  device === 'mobile'
    ? html`<div class="b_algoheader"><a href="${item.url}"><h2>${item.title}</h2>${address(item)}</a></div>`
    : html`
      <div class="b_tpcn"><a class="tilk" href="${item.url}"><div class="tptxt"><div class="tptt">${hostOf(item.url)}</div><div class="tpmeta">${address(item)}</div></div></a></div>
      <h2><a href="${item.url}">${item.title}</a></h2>`;

const organic: DrawItems = (items, context) => html`
  ${items.map(
    (item) => html`
    <li class="b_algo">
      ${titleOf(item, context)}
      <div class="b_caption"><p class="b_lineclamp2">${item.date ? html`<span class="news_dt">${item.date}</span> · ` : null}${item.snippet}</p></div>
      ${item.rating || item.price ? html`<ul class="b_vList"><li>${facts(stars(item), item.price)}</li></ul>` : null}
      ${
        item.sitelinks
          ? html`<div class="b_deepdesk"><ul>${item.sitelinks.map((link) => html`<li><h3 class="deeplink_title"><a href="${link.url}">${link.title}</a></h3></li>`)}</ul></div>`
          : null
      }
    </li>`,
  )}`;

const ad: DrawItems = (items, { captions }) => html`
  <li class="b_ad${items[0]?.block === 'bottom' ? ' b_adBottom' : ''}">
    <ul>${items.map(
      (item) => html`
      <li>
        <div class="sb_add">
          <h2><a href="${adLink(item.url)}">${item.title}</a></h2>
          <div class="b_caption">${address(item)}<p><span class="b_adSlug">${captions.sponsored}</span>${item.snippet}</p></div>
          ${
            item.sitelinks
              ? html`<ul class="b_factrow">${item.sitelinks.map((link) => html`<li><a href="${adLink(link.url)}">${link.title}</a></li>`)}</ul>`
              : null
          }
        </div>
      </li>`,
    )}</ul>
  </li>`;

const shoppingAd: DrawItems = (items) =>
  block(html`
    <div class="pa_list">${items.map(
      (item) => html`
      <div class="pa_item"><a href="${adLink(item.url)}" title="${item.title}"></a><div>${item.title}</div><div>${item.price ?? ''}</div><div>${item.source ?? ''}</div></div>`,
    )}</div>`);

const aiOverview: DrawItems = ([item]) =>
  block(html`
    <div class="qna_tg">
      <div>${item?.snippet ?? ''}${(item?.sources ?? []).map((source, n) => html`<a href="${source.url}" title="${source.title}"><sup>${n + 1}</sup></a>`)}</div>
    </div>`);

const directAnswer: DrawItems = ([item]) => html`
  <li class="b_ans b_top"><div class="b_focusTextLarge">${item?.title ?? ''}</div><div class="b_secondaryText">${item?.snippet ?? ''}</div></li>`;

const featuredSnippet: DrawItems = ([item]) =>
  item
    ? html`
      <li class="b_ans b_top">
        <div class="rwrl">${item.snippet}</div>
        <div class="rwrl_cred"><h2><a href="${item.url}">${item.title}</a></h2>${address(item)}</div>
      </li>`
    : html``;

const peopleAlsoAsk: DrawItems = (items, { captions }) =>
  block(html`
    <div class="df_hd">${captions.questions}</div>
    <div role="list">${items.map(
      (item) => html`
      <div class="slide" role="listitem">
        <div class="df_alsoAskCard" data-query="${item.title}">
          <div class="df_qntext">${item.title}</div>
          ${item.url ? html`<span class="df_alsocon">${item.snippet}</span><a href="${item.url}">${hostOf(item.url)}</a>` : null}
        </div>
      </div>`,
    )}</div>`);

/** Places and hotels. Only hotels have fields for the dates of the stay. */
const places =
  (caption: 'places' | 'hotels'): DrawItems =>
  (items, { captions, rawQuery }) =>
    block(html`
      <div class="b_ilhTitle"><h2>${captions[caption]}</h2></div>
      <a href="/maps?${new URLSearchParams({ q: rawQuery }).toString()}"></a>
      ${caption === 'hotels' ? html`<div><input type="date" name="from"><input type="date" name="to"></div>` : null}
      ${items.map(
        (item) => html`
        <div class="b_scard">
          <div class="lc_content">
            <h2>${item.title}</h2>
            ${facts(stars(item), item.category)}
            ${facts(item.snippet)}
            ${facts(item.phone)}
          </div>
          ${item.url ? html`<a href="${item.url}">${captions.website}</a>` : null}
        </div>`,
      )}`);

/** A link to the engine's service for the kind, as the caption of a block. */
const captionOf = (text: string, { rawQuery }: SearchContext, service: '/images' | '/videos' | '/news') =>
  html`<div class="b_ilhTitle"><h2><a href="${searchPath(rawQuery, {}, service)}">${text}</a></h2></div>`;

const topStory: DrawItems = (items, context) =>
  block(html`
    ${captionOf(context.captions.stories, context, '/news')}
    ${items.map(
      (item) => html`
      <div class="slide">
        <a class="na_ccw" href="${item.url}"><div><cite title="${item.source ?? ''}"><span>· ${item.date ?? ''}</span></cite></div><div class="na_t">${item.title}</div></a>
      </div>`,
    )}`);

const video: DrawItems = (items, context) =>
  block(html`
    ${captionOf(context.captions.videos, context, '/videos')}
    ${items.map(
      (item) => html`
      <div class="mc_vtvc">
        <a href="/videos/riverview/relatedvideo?mid=${seededRandom(item.url).hex(16)}">
          <div class="items">${item.duration ?? ''}</div>
          <div class="mc_vtvc_title">${item.title}</div>
          <div><span class="meta_pd_content">${item.date ?? ''}</span></div>
          <div><span>${item.source ?? ''}</span><span class="mc_vtvc_meta_row_channel">${item.channel ?? ''}</span></div>
          <div class="vrhdata" vrhm="${JSON.stringify({ murl: item.url })}"></div>
        </a>
      </div>`,
    )}`);

const image: DrawItems = (items, context) =>
  block(html`
    ${captionOf(context.captions.images, context, '/images')}
    ${items.map(
      (item) => html`
      <div class="slide">
        <a href="${searchPath(context.rawQuery, { id: seededRandom(item.url).hex(16) }, '/images')}"><img src="${item.image_url ?? ''}" alt=""></a>
        <a class="imgText" href="${item.url}">${item.title}</a>
      </div>`,
    )}`);

const spelling: DrawItems = ([item], { captions, rawQuery }) =>
  block(html`
    <div id="sp_requery">${captions.showingFor} <a href="${searchPath(item?.title ?? '', { FORM: 'AWRE' })}">${item?.title ?? ''}</a>.</div>
    <div id="sp_recourse">${captions.insteadFor} <a href="${searchPath(rawQuery, { filters: 'rcrse:"1"' })}">${rawQuery}</a></div>`);

const relatedSearch: DrawItems = ([item], { captions }) =>
  block(html`
    <h2>${captions.related}</h2>
    <ul class="b_rs">${(item?.items ?? []).map((term) => html`<li><a href="${searchPath(term, { FORM: 'QSRE' })}">${term}</a></li>`)}</ul>`);

const panel: DrawItems = ([item], { captions }) =>
  item
    ? block(html`
      <div class="b_entityTP">
        <h2 class="b_entityTitle">${item.title}</h2>
        <div class="b_entitySubTitle">${item.subtitle ?? ''}</div>
        <div class="b_snippet"><span>${item.snippet}</span> <a href="${item.url}">${captions.about}</a></div>
        <div class="infoCardIcons">${(item.profiles ?? []).map((profile) => html`<a href="${profile.url}">${profile.title}</a>`)}</div>
        ${(item.facts ?? []).map((fact) => html`<div class="b_factrow"><span class="cbl">${fact.label}:</span> ${fact.value}</div>`)}
      </div>`)
    : html``;

/** A table: what this engine draws for each type of item. */
const drawings: Partial<Record<ItemType, DrawItems>> = {
  organic,
  ad,
  shopping_ad: shoppingAd,
  ai_overview: aiOverview,
  direct_answer: directAnswer,
  featured_snippet: featuredSnippet,
  people_also_ask: peopleAlsoAsk,
  local_pack: places('places'),
  hotel: places('hotels'),
  top_story: topStory,
  video,
  image,
  spelling,
  related_search: relatedSearch,
  knowledge_panel: panel,
};

export const draw = (type: ItemType, items: PlannedItem[], context: SearchContext): Html =>
  drawings[type]?.(items, context) ?? html``;
