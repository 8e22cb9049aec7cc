/**
 * The sandbox's Google: a simulated search engine that answers requests for the real engine's address. It is
 * a pure function: the same request always gives the same page. The ranking depends on the query, and a
 * little on the day, the device, the market and the place.
 *
 * A word in the query adds blocks to the first page (`kinds.ts` has the table):
 *
 *     buy … / insurance …  ads and product ads   how to … / what is …  featured snippet (how to: questions)
 *     … near me / … shop   places                why … / explain …     AI overview
 *     … news               top stories           summarize …           AI overview that is not ready yet
 *     … video / … shorts   videos, short videos  who is … / … company  knowledge panel
 *     … photos             images                weather …             direct answer
 *     … forum              discussions           teh …                 corrected spelling
 *     recipe, price, jobs, events, hotels, flights, app, books, types of: a block of cards of that kind
 *
 * A prefix (`captcha: coffee`) causes a misfortune (`misfortunes.ts` has the table): captcha, script_wall,
 * consent, soft_block, slow, cut, reset, decoy, empty, canned, opaque_links, drift, http_500, http_429. Any
 * other prefix is part of an ordinary query. `captcha@2: coffee` causes it on page 2 only,
 * `once_captcha: coffee` only at the first fetch of a page.
 *
 * The text of an overview that is not ready is at the address that the script of its page names
 * (`/async/folsrch?…`).
 *
 * Links of results are hidden (`/goto?url=CAES…`), except those of ads and of the basic pages. The sandbox
 * answers a request for a hidden link with a redirect to its target.
 *
 * These results are the same in every search: organic result 4 is `www.acme.example`, 12 `rival.example`, 23
 * `blog.acme.example`, 37 `latecomer.example` (if there are that many results), the second place of a map is
 * the business `Acme`, `nobody.example` is never found, and a host that the query names (`coffee
 * harbor.example`) is the first result. Four of five queries have ten pages of ten results, the others have
 * fewer. `drifter.example` is 6th on average: its rank moves from day to day, as those of all other results.
 */
import { answerSearch } from '../answer.ts';
import { presentOverview } from '../invent/answers.ts';
import { respond, type SandboxPage } from '../misfortunes.ts';
import type { Search, SearchRequest } from '../search.ts';
import { searchContext } from '../search-context.ts';
import { seededRandom } from '../seeded-random.ts';
import { refusalPage } from '../walls.ts';
import { decryptToken, hideLinks } from './hidden-link.ts';
import { overviewText } from './layout/overview.ts';
import { google } from './pages.ts';
import { readSearch } from './search.ts';

/**
 * Redirects to the target of a hidden link. The token itself says whether the sandbox refuses; the current
 * misfortune does not matter.
 */
const hiddenLinkPage = (token: string): SandboxPage => {
  const link = decryptToken(token);
  if (!link) return respond(refusalPage('Not found', google.help).markup, { status: 404 });
  if (link.isRefused) {
    return respond(refusalPage('Too many requests', google.help).markup, { status: 429 });
  }
  return respond('', { status: 302, headers: { location: link.url } });
};

/** The answer to the script of a page whose overview was not ready: its text. */
const overviewAnswer = (search: Search): SandboxPage => {
  const context = searchContext(search);
  const [item] = presentOverview(context, seededRandom(search.query, 'overview'));
  return respond(item ? overviewText(item).markup : '');
};

/**
 * `misfortune`: the operator's setting for all queries. A misfortune in the query's prefix wins. Throws if
 * the name is unknown.
 */
export const answerRequest = (request: SearchRequest & { misfortune?: string }): SandboxPage => {
  const { pathname, searchParams } = new URL(request.url);
  if (pathname === '/goto') return hiddenLinkPage(searchParams.get('url') ?? '');
  const search = readSearch(request);
  const page =
    pathname === '/async/folsrch' ? overviewAnswer(search) : answerSearch(google, search, request.misfortune);
  return { ...page, body: hideLinks(page.body, search) };
};
