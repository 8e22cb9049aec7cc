/**
 * The sandbox's YouTube. The ranking is videos. A channel has the handle that is its host on the other
 * engines: video 4 is of `@acme.example`, 12 of `@rival.example`, 23 of `@blog.acme.example`, 37 of
 * `@latecomer.example`, and a video of `@drifter.example` is 6th on average. A page has 20 videos, and a
 * token for the next page, which its script loads as data; misfortunes befall these answers too. Each page
 * has an address, too. `kinds.ts` has the words that add other kinds of results. There are no hidden links,
 * so `opaque_links` gives an ordinary page.
 */
import { answerSearch } from '../answer.ts';
import { decoyWords } from '../decoy.ts';
import { type EnginePages, respond, type SandboxPage } from '../misfortunes.ts';
import { noticed } from '../plan.ts';
import type { Search, SearchRequest } from '../search.ts';
import { drawPage, driftPage, invalidRequest, nothingFoundPage, scriptWall } from './layout.ts';
import { planPage } from './plan.ts';
import { searchPath } from './renderers.ts';
import { isContinuation, readContinuation, readSearch } from './search.ts';

const results = (search: Search): string => drawPage(noticed(planPage(search)));

const pages: EnginePages = {
  address: (context) => `https://www.youtube.com${searchPath(context, context.rawQuery)}`,
  consent: 'https://consent.youtube.com/save',
  help: 'https://support.google.com/websearch/answer/86640',
  refusalStatus: 200,
  wallCookie: 'SY_SS',
  results,
  // The page names its own query, as a page of another search does.
  decoy: (search) => {
    const { subject, words } = decoyWords(search.rawQuery);
    return drawPage(planPage({ ...search, query: subject, rawQuery: subject }, words));
  },
  opaque: results,
  drift: (search) => driftPage(planPage(search)),
  nothing: nothingFoundPage,
  scriptWall,
};

const json = { 'content-type': 'application/json; charset=UTF-8' };

export const answerRequest = (request: SearchRequest & { misfortune?: string }): SandboxPage => {
  const search = isContinuation(request) ? readContinuation(request) : readSearch(request);
  const answer = search
    ? answerSearch(pages, search, request.misfortune)
    : respond(JSON.stringify(invalidRequest), { status: 400 });
  return answer.body.startsWith('{') ? { ...answer, headers: json } : answer;
};
