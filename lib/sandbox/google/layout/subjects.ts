/** Blocks about a subject: posts, topics, filters, offers, matches, showtimes. */
import type { ItemType } from '../../../model/result.ts';
import { html } from '../../html.ts';
import { seededRandom } from '../../seeded-random.ts';
import { caption, type DrawBlock, itemTitle, picture } from './parts.ts';

const id = (text: string, digits = 12) => seededRandom(text).hex(digits);

const post: DrawBlock = (items, { captions }) => html`
  <g-section-with-header class="yG4QQe">
    ${caption(captions.posts)}
    ${items.map(
      (item) => html`
      <div class="eejeod" data-news-doc-id="${id(item.url, 14)}">
        <a class="WlydOe" href="${item.url}">
          ${itemTitle(item.title)}
          <div class="MgUUmf"><span>${item.source ?? ''} · ${item.channel ?? ''}</span></div>
          <div class="OSrXXb"><span>${item.date ?? ''}</span></div>
        </a>
      </div>`,
    )}
  </g-section-with-header>`;

const thingsToKnow: DrawBlock = (items, { captions }) => html`
  <div class="Ww4FFb">
    ${caption(captions.topics)}
    ${items.map(
      (item) => html`
      <div class="dnXCYb" role="button" aria-expanded="false">
        <div class="PZPZlf" data-attrid="lab/title/${item.title}"><div>${item.title}</div><div>${item.subtitle ?? ''}</div></div>
      </div>`,
    )}
  </div>`;

const refinements: DrawBlock = ([item]) => html`
  <div role="navigation">
    <div role="list">
      ${(item?.options ?? []).map(
        (option) => html`
        <div role="listitem"><a class="nPDzT" href="${option.url}" role="link"><span>${option.title}</span></a></div>`,
      )}
    </div>
  </div>`;

const productPanel: DrawBlock = ([item]) => html`
  <div class="PZPZlf" data-attrid="organic_offers_grid">
    ${(item?.offers ?? []).map(
      (offer) => html`
      <div role="listitem">
        <a href="${offer.url}">
          ${picture}
          <div role="link">${offer.source}</div>
          <div>${offer.title}</div>
          <div><span role="text">${offer.price}</span></div>
        </a>
        <div role="button" data-target-url="${offer.url}"></div>
      </div>`,
    )}
  </div>`;

const sports: DrawBlock = (items) => html`
  <div class="imso-ml-c">
    ${items.map(
      (item) => html`
      <div class="imso-loa" data-df-match-mid="/g/${id(item.title)}">
        <div class="imspo_mt__date"><span>${item.date ?? ''}</span></div>
        <table class="KAIX8d">
          ${(item.teams ?? []).map(
            (team) => html`
            <tr><td data-df-team-mid="/m/${id(team.name, 6)}"></td><td><div class="imspo_mt__t-sc"><div>${team.score}</div></div></td><td><span>${team.name}</span></td></tr>`,
          )}
        </table>
      </div>`,
    )}
  </div>`;

const showtimes: DrawBlock = (items) => html`
  <div class="tb_stc">
    ${items.map(
      (item) => html`
      <div class="lr_c_fcb lr-s-stor">
        <div class="lr-s-din">${item.title}</div>
        <div class="lr_c_s">${(item.times ?? []).map((time) => html`<div class="lr_c_stnl">${time}</div>`)}</div>
      </div>`,
    )}
  </div>`;

export const subjects: Partial<Record<ItemType, DrawBlock>> = {
  post,
  things_to_know: thingsToKnow,
  refinements,
  product_panel: productPanel,
  sports,
  showtimes,
};
