/** Plans a page of YouTube. Phones get no right column. */
import { isDesktop, planner } from '../plan.ts';
import { videosAt } from './invent.ts';
import { kinds } from './kinds.ts';
import { pageSize } from './search.ts';

export const planPage = planner({ pageSize, kinds, resultsAt: videosAt, hasSide: isDesktop });
