/** Small parts that most blocks use. */

import { type Html, html } from '../../html.ts';
import type { PlannedItem, SearchContext } from '../../search-context.ts';
import { seededRandom } from '../../seeded-random.ts';

export type DrawBlock = (items: PlannedItem[], context: SearchContext) => Html;

/** The address that counts the clicks of an ad. The link of an ad is not hidden. */
export const clickCounter = ({ url }: { url: string }): string =>
  `https://www.google.com/aclk?sa=L&ai=${seededRandom(url, 'click').hex(40)}`;

export const caption = (text: string): Html => html`
  <div class="adDDi"><span class="mgAbYb RES9jf IFnjPb" role="heading" aria-level="2">${text}</span></div>`;

export const itemTitle = (text: string): Html =>
  html`<div class="n0jPhd tNxQIb" role="heading" aria-level="3">${text}</div>`;

export const picture = html`<div class="uhHOwf"><img class="YQ4gaf" alt="" src="data:image/gif;base64,R0lGODlhAQABAIAAAP///////yH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="></div>`;

/** `https://host` and ` › path`, with the markup that separates them on real pages. */
export const crumbs = (breadcrumb: string): Html => {
  const [site = '', ...path] = breadcrumb.split(' › ');
  return html`${site}${path.length ? html`<span role="text"> › ${path.join(' › ')}</span>` : null}`;
};

/** A separate row below the text: the stars, then the price. */
export const ratingRow = (item: PlannedItem): Html => {
  const price = item.price ? html`<span class="GrwgMe">${item.price}</span>` : null;
  if (item.rating)
    return html`<div class="kb0PBd" data-sncf="2"><div class="GhToFd">${stars(item)}${price && html` · ${price}`}</div></div>`;
  return price ? html`<div class="kb0PBd" data-sncf="2"><div class="GhToFd">${price}</div></div>` : html``;
};

export const stars = ({ rating, reviews }: PlannedItem): Html =>
  rating
    ? html`<span class="Y0A0hc" role="img" aria-label="${rating} / 5"><span class="yi40Hd YrbPuc" aria-hidden="true">${rating}</span><span class="RDApEe YrbPuc" aria-hidden="true">(${reviews ?? ''})</span></span>`
    : html``;
