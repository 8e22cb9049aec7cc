/** Engine → what it ranks, and whose it is. Light: bundled without the readers of pages. */
import type { EngineName } from '../model/engine.ts';
import { type SiteRules, webSites } from './tracking.ts';
import { sites as youtube } from './youtube/site.ts';

export const siteRules: Record<EngineName, SiteRules> = {
  google: webSites,
  bing: webSites,
  yahoo: webSites,
  youtube,
};
