/** The pages of Google that the sandbox can draw. */
import { planDecoy } from '../decoy.ts';
import type { EnginePages } from '../misfortunes.ts';
import { noticed } from '../plan.ts';
import type { Search } from '../search.ts';
import { hideLinks } from './hidden-link.ts';
import { driftPage } from './layout/drift.ts';
import { searchPath } from './layout/frame.ts';
import { drawPage } from './layout/layouts.ts';
import { nothingFoundPage } from './layout/nothing.ts';
import { scriptWall } from './layout/script-wall.ts';
import { planPage } from './plan.ts';

const results = (search: Search): string => {
  const plan = noticed(planPage(search));
  // Basic pages show no notice.
  const isNoticed = search.rawQuery !== search.query;
  return drawPage({ ...plan, layout: isNoticed && plan.layout === 'basic' ? 'classic' : plan.layout });
};

export const google: EnginePages = {
  address: (context) => `https://www.google.com${searchPath(context, context.rawQuery)}`,
  consent: 'https://consent.google.com/save',
  help: 'https://support.google.com/websearch/answer/86640',
  refusalStatus: 200,
  wallCookie: 'SG_SS',
  results,
  decoy: (search) => {
    const { layout } = planPage(search);
    return drawPage(planDecoy(search, (other, words) => planPage(other, layout, words)));
  },
  opaque: (search) => hideLinks(results(search), search, true),
  drift: (search) => driftPage(planPage(search)),
  nothing: nothingFoundPage,
  scriptWall,
};
