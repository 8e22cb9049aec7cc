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
 * What it orders by a prefix (`captcha: coffee`; `misfortunes.ts` has the table): captcha, slow, cut, decoy, empty, drift. Any other
 * prefix is part of an ordinary query.
 *
 * What stands fast in every search: organic result 4 is `www.acme.example`, 12 `rival.example`, 23 `blog.acme.example`, 37
 * `latecomer.example` (where there are as many), the second place of a map is the business `Acme`, `nobody.example` is never found,
 * and a host that the query names (`coffee harbor.example`) comes first. Four queries of five have ten pages of ten results, the
 * others fewer.
 */
import type { Device } from '../model/crawl-request.ts';
import { drawPage } from './google/layout/layouts.ts';
import { answer, misfortunes, type SandboxPage } from './google/misfortunes.ts';
import { planPage } from './google/plan.ts';
import { readPrefix, readSearch } from './google/search.ts';

export type { SandboxPage };

/** Throws where `misfortune` (for all queries, set by the operator) is not one that the sandbox knows. */
export const sandboxGoogle = (request: {
  url: string;
  device: Device;
  now: number;
  misfortune?: string;
}): SandboxPage => {
  const asked = readSearch(request);
  const prefix = readPrefix(asked.query);
  const ordered = prefix && Object.hasOwn(misfortunes, prefix.name) ? prefix : null;
  const search = ordered ? { ...asked, query: ordered.rest } : asked;

  const name = ordered?.name ?? request.misfortune;
  if (!name) return answer(drawPage(planPage(search)));
  const befall = Object.hasOwn(misfortunes, name) ? misfortunes[name] : undefined;
  if (!befall)
    throw new Error(
      `SANDBOX_MISFORTUNE: no misfortune of that name, but ${Object.keys(misfortunes).join(', ')}`,
    );
  return befall(search);
};
