/**
 * The sandbox's Yahoo. The ranking is web results, with the same hosts at the same ranks as on the sandbox's
 * Google, seven on a page. Links go through a counter of clicks, which names their targets; with
 * `opaque_links`, it does not. `kinds.ts` has the words that add other kinds of results.
 */
import { answerSearch } from '../answer.ts';
import { planDecoy } from '../decoy.ts';
import type { EnginePages, SandboxPage } from '../misfortunes.ts';
import { noticed } from '../plan.ts';
import type { Search, SearchRequest } from '../search.ts';
import { drawPage, driftPage, nothingFoundPage, scriptWall } from './layout.ts';
import { searchPath, wrapLinks } from './link.ts';
import { planPage } from './plan.ts';
import { readSearch } from './search.ts';

const results = (search: Search): string => drawPage(noticed(planPage(search)));

const pages: EnginePages = {
  address: (context) => `https://search.yahoo.com${searchPath(context, context.rawQuery)}`,
  consent: 'https://consent.yahoo.com/save',
  help: 'https://help.yahoo.com/',
  // A refusal with status 200 has nothing that shows it to be one.
  refusalStatus: 403,
  wallCookie: 'SH_SS',
  results: (search) => wrapLinks(results(search), search),
  decoy: (search) => wrapLinks(drawPage(planDecoy(search, planPage)), search),
  opaque: (search) => wrapLinks(results(search), search, true),
  drift: (search) => driftPage(planPage(search)),
  nothing: nothingFoundPage,
  scriptWall,
};

export const answerRequest = (request: SearchRequest & { misfortune?: string }): SandboxPage =>
  answerSearch(pages, readSearch(request), request.misfortune);
