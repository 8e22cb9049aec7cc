/** Plans a page of Bing. Phones get no right column. */
import { organicsAt } from '../organic.ts';
import { isDesktop, planner } from '../plan.ts';
import { kinds } from './kinds.ts';
import { pageSize } from './search.ts';

export const planPage = planner({ pageSize, kinds, resultsAt: organicsAt, hasSide: isDesktop });
