/** The knowledge panel: facts about a thing or a person, beside the results or before them. */
import { type Html, html } from '../../html.ts';
import type { PlannedItem, SearchContext } from '../../search-context.ts';

export const panelTitle = (item: PlannedItem): Html => html`
  <div class="QpPSMb">
    <div class="PZPZlf ssJ7i" data-attrid="title" role="heading" aria-level="2">${item.title}</div>
    <div class="iAIpCb PZPZlf" data-attrid="subtitle"><span>${item.subtitle ?? ''}</span></div>
  </div>`;

export const panelBody = (item: PlannedItem, { captions }: SearchContext): Html => html`
  <div class="wDYxhc" data-attrid="description">
    <div class="kno-rdesc"><h3 class="bNg8Rb">${captions.about}</h3><span>${item.snippet}</span> <a class="ruhjFe" href="${item.url}"><span>Encyclopedia</span></a></div>
  </div>
  ${(item.facts ?? []).map(
    (fact) => html`
    <div class="wDYxhc" data-attrid="kc:/organization/organization:${fact.label.toLowerCase()}">
      <div class="rVusze"><span class="w8qArf">${fact.label}<span>: </span></span><span class="LrzXr kno-fv">${fact.value}</span></div>
    </div>`,
  )}
  <div class="wDYxhc" data-attrid="kc:/common/topic:social media presence">
    <div role="heading" aria-level="3">${captions.profiles}</div>
    ${(item.profiles ?? []).map((profile) => html`<g-link><a href="${profile.url}"><div class="CtCigf">${profile.title}</div></a></g-link>`)}
  </div>`;

export const panel = (item: PlannedItem, context: SearchContext): Html => html`
  <div class="kp-wholepage-osrp" data-kpid="vise:/g/invented">
    ${panelTitle(item)}
    ${panelBody(item, context)}
  </div>`;
