/** The sources of trends. `TRENDS_SOURCE` chooses one by its name. */
import type { TrendsSource } from '../contract.ts';
import { googleTrends } from '../google-trends.ts';

export const trendsSources: Record<string, TrendsSource> = {
  'google-trends': googleTrends,
};
