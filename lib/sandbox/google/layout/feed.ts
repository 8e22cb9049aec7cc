/** Mobile, 2026: one list. Every result and every block is a separate child of it. */
import { type Html, html } from '../../html.ts';
import type { Block } from '../../plan.ts';
import type { PlannedItem } from '../../search-context.ts';
import type { PagePlan } from '../plan.ts';
import { details, draw, mobilePage, related, split, titleLink } from './mobile.ts';

const child = (inner: Html): Html => html`<div class="MjjYud">${inner}</div>`;

const result = (item: PlannedItem): Html => html`
  <div data-dsrp="${Buffer.from(item.url).toString('base64url').slice(-20)}" lang="en">
    <div class="Ww4FFb">
      <div class="N54PNb" data-snc="result"><div class="uIV6Ge">${titleLink(item)}</div>${details(item)}</div>
    </div>
  </div>`;

export const feed = (plan: PagePlan): Html => {
  const { above, middle } = split(plan);
  const children = ({ type, items }: Block) =>
    type === 'organic' ? items.map((item) => child(result(item))) : null;
  return mobilePage(
    plan,
    html`${above.flatMap((block) => children(block) ?? [child(draw(block, plan.context))])}`,
    html`${middle.map((block) => related(block, plan.context))}`,
  );
};
