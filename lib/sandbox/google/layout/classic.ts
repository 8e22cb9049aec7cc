/**
 * 2025: the page shows the number of results, the overview is in the results column, and the bottom ads are
 * below the column.
 */
import { type Html, html } from '../../html.ts';
import type { PagePlan } from '../plan.ts';
import { adsBelow, column, date, desktopPage, resultStats, type Style, titleLink } from './desktop.ts';
import { panel } from './panel.ts';
import { ratingRow } from './parts.ts';

export const classicStyle: Style = {
  box: (inner) => html`<div class="MjjYud">${inner}</div>`,
  result: (item) => html`
    <div class="g Ww4FFb" lang="en">
      <div class="N54PNb" data-snc="result">
        <div class="yuRUbf"><div>${titleLink(item, '')}</div></div>
        <div data-sncf="1"><div class="VwiC3b yXK7lf">${date(item)}${item.snippet}</div></div>
        ${ratingRow(item)}
      </div>
      ${
        item.sitelinks
          ? html`<div class="HiHjCd"><div class="usJj9c">${item.sitelinks.map((link) => html`<h3 class="r"><a class="l" href="${link.url}">${link.title}</a></h3>`)}</div></div>`
          : null
      }
    </div>`,
};

export const classic = (plan: PagePlan): Html =>
  desktopPage(plan, {
    stats: resultStats(plan),
    results: html`${column(plan, classicStyle, ['ai_overview', 'direct_answer', 'featured_snippet'])}`,
    below: html`<div id="bottomads">${adsBelow(plan)}</div>`,
    side: plan.side[0]
      ? html`<h2 class="bNg8Rb">${plan.context.captions.about}</h2><div class="kp-blk">${panel(plan.side[0], plan.context)}</div>`
      : null,
  });
