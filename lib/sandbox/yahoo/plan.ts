/** Plans a page of Yahoo. Pages for phones have the same lists as those of desktops. */
import { organicsAt } from '../organic.ts';
import { planner } from '../plan.ts';
import { kinds } from './kinds.ts';
import { pageSize } from './search.ts';

export const planPage = planner({ pageSize, kinds, resultsAt: organicsAt, hasSide: () => true });
