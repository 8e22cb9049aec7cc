/**
 * A known entity: the name at the top, the facts on the right, the results in a tab of the panel, which is
 * hidden until scripts run.
 */
import { type Html, html } from '../../html.ts';
import type { PagePlan } from '../plan.ts';
import { classicStyle } from './classic.ts';
import { adsBelow, column, desktopPage, resultStats } from './desktop.ts';
import { panelBody, panelTitle } from './panel.ts';

export const entity = (plan: PagePlan): Html => {
  const subject = plan.blocks.find(({ type }) => type === 'knowledge_panel')?.items[0];
  const results = column(plan, classicStyle, ['ai_overview', 'direct_answer', 'featured_snippet']);
  return desktopPage(plan, {
    stats: resultStats(plan),
    above: subject && html`<div class="kp-wholepage-osrp">${panelTitle(subject)}</div>`,
    results: html`
      <div class="kp-wholepage">
        <div role="tablist"><span role="tab">${plan.context.captions.about}</span></div>
        <div id="kp-wp-tab-overview" style="visibility:hidden">${results}</div>
        <div id="kp-wp-tab-more"></div>
      </div>
      ${adsBelow(plan)}`,
    side: subject ? html`<div class="kp-wholepage-osrp">${panelBody(subject, plan.context)}</div>` : null,
  });
};
