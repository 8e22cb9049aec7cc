/**
 * The sandbox's Google: a search engine of our own that answers requests to the real one's address. It is a pure function; the
 * same request has the same page, whenever it is made, but for the page's time stamp (`now`) and the result of a misfortune.
 *
 * What a query orders by a word in it (on its first page; `kinds.ts` has the table):
 *
 *     buy … / insurance …      ads and product ads          how to … / what is …   featured snippet (how to: questions too)
 *     … near me / … shop       places                       why … / explain …      AI overview
 *     … news                   top stories                  summarize …            AI overview that is still to come
 *     … video / … shorts       videos, short videos         who is … / … company   knowledge panel
 *     … photos                 images                       weather …              direct answer
 *     … forum                  discussions                  teh …                  corrected spelling
 *     recipe, price, jobs, events, hotels, flights, app, books, types of: the shelf of that kind
 *
 * What it orders by a prefix (`captcha: coffee`; `misfortunes.ts` has the table): captcha, script_wall, consent, soft_block, slow, cut,
 * reset, decoy, empty, canned, opaque_links, drift, http_500, http_429. Any other prefix is part of an ordinary query.
 *
 * Links of results are hidden (`/goto?url=CAES…`), but those of ads and of the basic pages; asked at that address, the sandbox says by
 * a redirect where they lead.
 *
 * What stands fast in every search: organic result 4 is `www.acme.example`, 12 `rival.example`, 23 `blog.acme.example`, 37
 * `latecomer.example` (where there are as many), the second place of a map is the business `Acme`, `nobody.example` is never found,
 * and a host that the query names (`coffee harbor.example`) comes first. Four queries of five have ten pages of ten results, the
 * others fewer.
 */
import { isMisfortune, Misfortune } from '../model/misfortune.ts';
import { hideLinks, unlock } from './google/hidden-link.ts';
import { drawPage } from './google/layout/layouts.ts';
import { refusal } from './google/layout/walls.ts';
import { answer, misfortunes, type SandboxPage } from './google/misfortunes.ts';
import { planPage } from './google/plan.ts';
import { readPrefix, readSearch, type Search, type SearchRequest } from './google/search.ts';

export type { SandboxPage };

const result = (search: Search, misfortune: string | undefined): SandboxPage => {
  const prefix = readPrefix(search.query);
  const ordered = prefix && isMisfortune(prefix.name) ? prefix.name : null;
  const meant = prefix && ordered ? { ...search, query: prefix.rest } : search;

  const name = ordered ?? misfortune;
  if (!name) return answer(drawPage(planPage(meant)));
  if (!isMisfortune(name))
    throw new Error(`SANDBOX_MISFORTUNE: no misfortune of that name, but ${Misfortune.options.join(', ')}`);
  return misfortunes[name](meant);
};

/** Where a hidden link leads. Its page, not the present misfortune, says whether that is told. */
const goto = (token: string): SandboxPage => {
  const locked = unlock(token);
  if (!locked) return answer(refusal('Not found').markup, { status: 404 });
  if (locked.isRefused) return answer(refusal('Too many requests').markup, { status: 429 });
  return answer('', { status: 302, headers: { location: locked.url } });
};

export const misfortuneNames: readonly string[] = Misfortune.options;

/** Throws where `misfortune` (for all queries, set by the operator) is not one that the sandbox knows. */
export const sandboxGoogle = (request: SearchRequest & { misfortune?: string }): SandboxPage => {
  const { pathname, searchParams } = new URL(request.url);
  if (pathname === '/goto') return goto(searchParams.get('url') ?? '');
  const search = readSearch(request);
  const page = result(search, request.misfortune);
  return { ...page, body: hideLinks(page.body, search) };
};
