/**
 * Mobile: boxes of several results. The boxes that the user scrolls to are outside the list, below the
 * related searches.
 */
import { type Html, html } from '../../html.ts';
import type { Block } from '../../plan.ts';
import type { PlannedItem } from '../../search-context.ts';
import type { PagePlan } from '../plan.ts';
import { details, draw, mobilePage, related, split, titleLink } from './mobile.ts';

const result = (item: PlannedItem): Html => html`
  <div class="mnr-c xpd"><div class="KJDcUb">${titleLink(item)}</div>${details(item)}</div>`;

export const sheet = (plan: PagePlan): Html => {
  const { above, middle, below } = split(plan);
  const box = (block: Block) =>
    html`<div>${block.type === 'organic' ? block.items.map(result) : draw(block, plan.context)}</div>`;
  return mobilePage(
    plan,
    html`${above.map(box)}`,
    html`${middle.map((block) => related(block, plan.context))}<div data-async-type="arc">${below.map(box)}</div>`,
  );
};
