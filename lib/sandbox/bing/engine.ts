/**
 * The sandbox's Bing. The ranking is web results, with the same hosts at the same ranks as on the sandbox's
 * Google. Links go through the engine's redirects, which name their targets; with `opaque_links`, they do
 * not. `kinds.ts` has the words that add other kinds of results.
 */
import { answerSearch } from '../answer.ts';
import { planDecoy } from '../decoy.ts';
import type { EnginePages, SandboxPage } from '../misfortunes.ts';
import { noticed } from '../plan.ts';
import type { Search, SearchRequest } from '../search.ts';
import { searchPath } from './blocks.ts';
import { drawPage, driftPage, nothingFoundPage, scriptWall } from './layout.ts';
import { wrapLinks } from './link.ts';
import { planPage } from './plan.ts';
import { readSearch } from './search.ts';

const results = (search: Search): string => drawPage(noticed(planPage(search)));

const pages: EnginePages = {
  address: ({ rawQuery }) => `https://www.bing.com${searchPath(rawQuery)}`,
  consent: 'https://consent.bing.com/save',
  help: 'https://support.microsoft.com/bing',
  // A refusal with status 200 has nothing that shows it to be one.
  refusalStatus: 403,
  wallCookie: 'SB_SS',
  results: (search) => wrapLinks(results(search)),
  decoy: (search) => wrapLinks(drawPage(planDecoy(search, planPage))),
  opaque: (search) => wrapLinks(results(search), true),
  drift: (search) => driftPage(planPage(search)),
  nothing: nothingFoundPage,
  scriptWall,
};

export const answerRequest = (request: SearchRequest & { misfortune?: string }): SandboxPage =>
  answerSearch(pages, readSearch(request), request.misfortune);
