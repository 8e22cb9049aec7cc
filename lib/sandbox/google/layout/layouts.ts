/** All layouts by name. The file of the same name draws each of them. */
import type { Html } from '../../html.ts';
import type { LayoutName, PagePlan } from '../plan.ts';
import { basic } from './basic.ts';
import { cards } from './cards.ts';
import { classic } from './classic.ts';
import { entity } from './entity.ts';
import { feed } from './feed.ts';
import { nothingFoundPage } from './nothing.ts';
import { sheet } from './sheet.ts';

export const layouts: Record<LayoutName, (plan: PagePlan) => Html> = {
  cards,
  classic,
  entity,
  basic,
  feed,
  sheet,
};

/** Draws a planned page. A page after the last one says that nothing was found. */
export const drawPage = (plan: PagePlan): string =>
  (plan.blocks.length > 0 ? layouts[plan.layout](plan) : nothingFoundPage(plan.context)).markup;
