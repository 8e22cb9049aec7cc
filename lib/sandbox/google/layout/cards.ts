/**
 * 2026: every block is a numbered card, the overview is before the results, and the bottom ads are at the end
 * of the results column.
 */
import { type Html, html } from '../../html.ts';
import type { PagePlan } from '../plan.ts';
import { adsBelow, blocksOf, column, date, desktopPage, type Style, titleLink } from './desktop.ts';
import { panel } from './panel.ts';
import { ratingRow } from './parts.ts';

const style: Style = {
  box: (inner, n) => html`<div class="MjjYud"><div class="A6K0A" data-rpos="${n}">${inner}</div></div>`,
  result: (item) => html`
    <div class="wHYlTd Ww4FFb tF2Cxc asEBEc" lang="en">
      <div class="N54PNb" data-snc="result">
        <div class="kb0PBd" data-snf="title" data-snhf="0"><div class="yuRUbf"><span class="V9tjod">${titleLink(item, 'zReHs')}</span></div></div>
        <div class="kb0PBd" data-sncf="1"><div class="VwiC3b">${date(item)}<span>${item.snippet}</span></div></div>
        ${ratingRow(item)}
      </div>
      ${
        item.sitelinks
          ? html`<table class="jmjoTe"><tbody>${item.sitelinks.map((link) => html`<tr><td><div><h3><a class="l" href="${link.url}">${link.title}</a></h3></div></td></tr>`)}</tbody></table>`
          : null
      }
    </div>`,
};

export const cards = (plan: PagePlan): Html =>
  desktopPage(plan, {
    above: html`<div id="Odp5De">${blocksOf(plan, 'head', 'ai_overview')}</div>`,
    results: html`${column(plan, style, ['direct_answer', 'featured_snippet'])}${adsBelow(plan)}`,
    side: plan.side[0]
      ? html`<div class="A6K0A" data-rrhs="1">${panel(plan.side[0], plan.context)}</div>`
      : null,
  });
