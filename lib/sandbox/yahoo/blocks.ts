/**
 * The items of the lists of results: one drawing function per type, for desktop pages and for pages for
 * phones.
 */
import type { ItemType } from '../../model/result.ts';
import { type Html, html } from '../html.ts';
import type { PlannedItem, SearchContext } from '../search-context.ts';
import { adLink, searchPath } from './link.ts';

type DrawItems = (items: PlannedItem[], context: SearchContext) => Html;

const item = (inner: Html): Html => html`<li><div class="dd">${inner}</div></li>`;

/** A list inside an item. */
const list = (parts: readonly Html[]): Html => html`<ul>${parts.map((part) => html`<li>${part}</li>`)}</ul>`;

const address = ({ breadcrumb }: PlannedItem): Html =>
  html`<div><span class="s-url">${breadcrumb}</span></div>`;

/** Desktop: the address above the title, both in the link. Phone: the address below the title. */
const titleOf = (result: PlannedItem, url: string, { device }: SearchContext): Html =>
  device === 'mobile'
    ? html`<div class="compTitle"><h3 class="title"><a href="${url}">${result.title}</a></h3>${address(result)}</div>`
    : html`<div class="compTitle"><a href="${url}">${address(result)}<h3 class="title"><span>${result.title}</span></h3></a></div>`;

/** `4.5/5 (112)`. */
const stars = ({ rating, reviews }: PlannedItem): string => (rating ? `${rating}/5 (${reviews ?? ''})` : '');

const joined = (...parts: (string | undefined)[]): string => parts.filter((part) => part).join(' · ');

const organic: DrawItems = (items, context) => html`
  ${items.map(
    (result) => html`
    <li>
      <div class="dd algo algo-sr">
        ${titleOf(result, result.url, context)}
        <div class="compText"><p>${result.date ? html`<span>${result.date}</span> · ` : null}${result.snippet}</p></div>
        ${
          result.rating || result.price
            ? list([html`<label>${context.captions.about}:</label> ${joined(stars(result), result.price)}`])
            : null
        }
        ${result.sitelinks ? list(result.sitelinks.map((link) => html`<a href="${link.url}">${link.title}</a>`)) : null}
      </div>
    </li>`,
  )}`;

const ad: DrawItems = (items, context) => html`
  <li>
    <div class="dd ads">${items.map(
      (result) => html`
      <div class="layoutCenterItem">
        ${titleOf(result, adLink(result.url), context)}
        <div class="compText"><p>${result.snippet}</p></div>
        ${result.sitelinks ? list(result.sitelinks.map((link) => html`<a href="${adLink(link.url)}">${link.title}</a>`)) : null}
      </div>`,
    )}</div>
  </li>`;

const shoppingAd: DrawItems = (items) =>
  item(
    list(
      items.map(
        (result) =>
          html`<a href="${adLink(result.url)}"><span>${result.title}</span></a><span>${result.price ?? ''}</span><span>${result.source ?? ''}</span>`,
      ),
    ),
  );

const featuredSnippet: DrawItems = ([result]) =>
  result
    ? item(
        html`<p>${result.snippet}</p><div><a href="${result.url}">${result.title}</a></div>${address(result)}`,
      )
    : html``;

const peopleAlsoAsk: DrawItems = (items) =>
  item(html`
    ${items.map(
      (result, n) => html`
      <div class="question" qidx="${n}">
        <div>${result.title}</div>
        ${result.url ? html`<div>${result.snippet}</div><h3><a href="${result.url}">${result.title}</a></h3>` : null}
      </div>`,
    )}`);

/** A link to one of the engine's other searches, as the caption of a block. */
const captionOf = (
  text: string,
  { rawQuery }: SearchContext,
  service: 'local' | 'news' | 'video' | 'images',
) =>
  html`<div class="compTitle"><a href="https://${service}.search.yahoo.com/search?${new URLSearchParams({ p: rawQuery }).toString()}">${text}</a></div>`;

const localPack: DrawItems = (items, context) =>
  item(html`
    ${captionOf(context.captions.places, context, 'local')}
    ${list(
      items.map(
        (place) => html`
        <a href="${place.url}">${place.title}</a>
        <div>${joined(stars(place), place.category)}</div>
        <div>${place.snippet}</div>
        <div>${place.phone ?? ''}</div>`,
      ),
    )}`);

const topStory: DrawItems = (items, context) =>
  item(html`
    ${captionOf(context.captions.stories, context, 'news')}
    ${list(
      items.map(
        (story) =>
          html`<a href="${story.url}"><h4>${story.title}</h4></a><div>${joined(story.source, story.date)}</div>`,
      ),
    )}`);

const video: DrawItems = (items, context) =>
  item(html`
    ${captionOf(context.captions.videos, context, 'video')}
    ${list(
      items.map(
        (film) => html`
        <a href="${film.url}"><div>${film.duration ?? ''}</div><div>${film.title}</div></a>
        <div>${film.source ?? ''}</div>
        <div>${film.date ?? ''}</div>`,
      ),
    )}`);

const image: DrawItems = (items, context) =>
  item(html`
    ${captionOf(context.captions.images, context, 'images')}
    ${list(
      items.map(
        ({ url, image_url = '', title }) =>
          html`<a href="https://images.search.yahoo.com/images/view?${new URLSearchParams({ rurl: url, imgurl: image_url }).toString()}"><img alt="${title}" src="${image_url}"></a>`,
      ),
    )}`);

const spelling: DrawItems = ([result], context) =>
  item(html`
    <div>${context.captions.showingFor} <a href="${searchPath(context, result?.title ?? '')}">${result?.title ?? ''}</a>.</div>
    <div>${context.captions.insteadFor} <a href="${searchPath(context, context.rawQuery, { fr2: 'p:s,v:i' })}">${context.rawQuery}</a></div>`);

const relatedSearch: DrawItems = ([result], context) =>
  item(html`
    <div>${context.captions.related}</div>
    ${list((result?.items ?? []).map((term) => html`<a href="${searchPath(context, term)}">${term}</a>`))}`);

const panel: DrawItems = ([result], { captions }) =>
  result
    ? html`
    <li>
      <div class="dd catKG">
        <div>${result.title}</div>
        <div>${result.subtitle ?? ''}</div>
        <p>${result.snippet} <a href="${result.url}">${captions.about}</a></p>
        ${list((result.facts ?? []).map((fact) => html`<label>${fact.label}:</label> ${fact.value}`))}
        ${list((result.profiles ?? []).map((profile) => html`<a href="${profile.url}">${profile.title}</a>`))}
      </div>
    </li>`
    : html``;

/** A table: what this engine draws for each type of item. */
const drawings: Partial<Record<ItemType, DrawItems>> = {
  organic,
  ad,
  shopping_ad: shoppingAd,
  featured_snippet: featuredSnippet,
  people_also_ask: peopleAlsoAsk,
  local_pack: localPack,
  top_story: topStory,
  video,
  image,
  spelling,
  related_search: relatedSearch,
  knowledge_panel: panel,
};

export const draw = (type: ItemType, items: PlannedItem[], context: SearchContext): Html =>
  drawings[type]?.(items, context) ?? html``;
