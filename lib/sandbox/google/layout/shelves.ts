/**
 * Blocks of cards: recipes, products, jobs, events, hotels, flights, apps, books, and a carousel of no
 * specific kind. Each has other markup, although some are alike: the engine changes them one by one, and
 * a reader must not depend on what they share.
 */
import type { ItemType } from '../../../model/result.ts';
import type { Captions } from '../../captions.ts';
import { type Html, html } from '../../html.ts';
import type { PlannedItem, SearchContext } from '../../search-context.ts';
import { seededRandom } from '../../seeded-random.ts';
import { searchPath } from './frame.ts';
import { caption, type DrawBlock, itemTitle, picture, stars } from './parts.ts';

type DrawCard = (item: PlannedItem, context: SearchContext) => Html;

const shelf =
  (
    name: keyof Pick<Captions, 'jobs' | 'events' | 'hotels' | 'flights' | 'apps' | 'books' | 'carousel'>,
    card: DrawCard,
  ): DrawBlock =>
  (items, context) =>
    html`
  <div class="Ww4FFb">
    ${caption(context.captions[name])}
    <div role="list">${items.map((item) => card(item, context))}</div>
  </div>`;

const id = (item: PlannedItem, digits = 12) => seededRandom(item.type, item.title).hex(digits);

const recipe: DrawBlock = (items, { captions }) => html`
  <div data-num="${items.length}">
    <g-section-with-header class="yG4QQe">
      <div class="e2BEnf"><h3 class="RES9jf" role="heading" aria-level="2">${captions.recipes}</h3></div>
      <g-expandable-container data-npd="1">
        ${items.map(
          (item) => html`
          <div class="YwonT">
            <a class="a-no-hover-decoration" href="${item.url}">
              ${picture}
              <div class="lGAsve">
                <div class="hfac6d" role="heading" aria-level="3">${item.title}</div>
                <div><cite class="KuNgxf">${item.source ?? ''}</cite></div>
                <div>${stars(item)}</div>
              </div>
            </a>
          </div>`,
        )}
      </g-expandable-container>
    </g-section-with-header>
  </div>`;

const product: DrawBlock = (items, { captions, query }) => html`
  <product-viewer-group>
    <g-card class="tkfIqc" data-q="${query}">
      <div class="q8U8x"><span role="heading" aria-level="2">${captions.products}</span></div>
      <g-scrolling-carousel>
        <div role="list">
          ${items.map(
            (item) => html`
            <product-viewer-entrypoint class="gXGikb" role="listitem" data-mid="${id(item, 16)}" data-oid="${id(item, 18)}">
              <div class="wOPJ9c" role="button" data-pv-entrypoint="1" aria-label="${item.title}. ${item.price ?? ''}. ${item.source ?? ''}">
                <g-inner-card class="ExWXFf" data-title-id="${id(item)}">
                  ${picture}
                  <div class="gkQHve">${item.title}</div>
                  <div role="group"><span class="lmQWe" aria-label="${item.price ?? ''}">${item.price ?? ''}</span></div>
                  <span class="Z9qvte"><span class="WJMUdc rw5ecc">${item.source ?? ''}</span></span>
                </g-inner-card>
              </div>
            </product-viewer-entrypoint>`,
          )}
        </div>
      </g-scrolling-carousel>
    </g-card>
  </product-viewer-group>`;

const job = shelf(
  'jobs',
  (item, context) => html`
  <div role="listitem">
    <a href="${searchPath(context, context.rawQuery, { ibp: 'htl;jobs', htidocid: id(item) })}">
      <div class="BjJfJf" role="heading" aria-level="3">${item.title}</div>
      <div class="vNEEBe">${item.source ?? ''}</div>
      <div class="Qk80Jf">${item.snippet}</div>
    </a>
  </div>`,
);

const event = shelf(
  'events',
  (item, context) => html`
  <div role="listitem">
    <a href="${searchPath(context, context.rawQuery, { ibp: 'htl;events', htidocid: id(item) })}">
      <div class="HNdZMe">${item.date ?? ''}</div>
      ${itemTitle(item.title)}
      <div>${item.snippet}</div>
    </a>
  </div>`,
);

const hotel = shelf(
  'hotels',
  (item) => html`
  <div role="listitem">
    <a role="link" href="/travel/hotels/entity/${id(item, 24)}">
      ${picture}
      ${itemTitle(item.title)}
      <div>${stars(item)}</div>
      <div><span>${item.price ?? ''}</span></div>
    </a>
  </div>`,
);

const flight = shelf(
  'flights',
  (item) => html`
  <div role="listitem">
    <a href="/travel/flights/booking?tfs=${id(item, 24)}">
      ${itemTitle(item.title)}
      <div><span>${item.duration ?? ''}</span></div>
      <div><span>${item.price ?? ''}</span></div>
    </a>
  </div>`,
);

const app = shelf(
  'apps',
  (item) => html`
  <div role="listitem">
    <a href="${item.url}">
      ${picture}
      ${itemTitle(item.title)}
      <div>${item.source ?? ''}</div>
      <div>${stars(item)}</div>
    </a>
  </div>`,
);

const book = shelf(
  'books',
  (item) => html`
  <div role="listitem">
    <a href="${item.url}">
      ${picture}
      ${itemTitle(item.title)}
      <div>${item.source ?? ''}</div>
    </a>
  </div>`,
);

const carousel: DrawBlock = (items, context) => html`
  <div class="Ww4FFb">
    ${caption(context.captions.carousel)}
    <g-scrolling-carousel>
      <div role="list">
        ${items.map(
          (item) => html`
          <div role="listitem" data-item-card="true"><a class="ttwCMe" href="${item.url}">${picture}${itemTitle(item.title)}</a></div>`,
        )}
      </div>
    </g-scrolling-carousel>
  </div>`;

export const shelves: Partial<Record<ItemType, DrawBlock>> = {
  recipe,
  product,
  job,
  event,
  hotel,
  flight,
  app,
  book,
  carousel,
};
