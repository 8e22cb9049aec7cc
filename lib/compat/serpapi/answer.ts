/** A search in the form of SerpApi. Pure. */
import { type EngineName, engines } from '../../model/engine.ts';
import type { V2Task } from '../../model/v2-task.ts';
import { isFinal } from '../../task/status.ts';
import { deepest } from '../asked.ts';
import { type Found, ofKinds, relatedIn, type Window } from '../found.ts';
import { present } from '../present.ts';
import { listsOf } from './items.ts';
import { languageFor, namesOf, yahooDomainOf } from './request.ts';
import { searchIdOf } from './search-id.ts';

type Shown = Record<string, unknown>;

const timeOf = (seconds: number): string =>
  `${new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

export const statusOf = ({ status }: V2Task): string => {
  if (!isFinal(status)) return 'Processing';
  return status === 'success' ? 'Success' : 'Error';
};

/** The number of the engine's page that has the first result that was asked for. */
export const pageNumber = ({ engine, from }: Window): number =>
  Math.floor(from / engines[engine].resultsPerPage) + 1;

/** What is known of a search apart from its results. */
export const metadataOf = (task: V2Task, asked: Window, address: string): Shown => {
  const id = searchIdOf(task.id, asked);
  return present({
    id,
    status: statusOf(task),
    json_endpoint: `${address}/searches/${id}.json`,
    created_at: timeOf(task.created_at),
    processed_at: task.crawled_at > 0 ? timeOf(task.crawled_at) : undefined,
    [`${asked.engine}_url`]: task.pages[pageNumber(asked) - 1]?.url,
    raw_html_file: task.html_url,
    total_time_taken: task.succeed_at > 0 ? Math.max(0, task.succeed_at - task.created_at) : undefined,
  });
};

/** The options of Google's search. The next page is one of the same search, so its address has them, too. */
const optionsOf = ({ tbs, safe, nfpr, filter, lr, cr }: V2Task): Shown => ({
  tbs,
  safe,
  nfpr,
  filter,
  lr,
  cr,
});

/** The domain as the form has it. Bing and YouTube have one domain only. */
const domainOf = ({ engine_domain }: V2Task, engine: EngineName): Shown => ({
  ...(engine === 'google' && { google_domain: engine_domain }),
  ...(engine === 'yahoo' && { yahoo_domain: yahooDomainOf(engine_domain) }),
});

/** The parameters as they were asked, in the names of the engine. `place`: the full name of the place. */
export const parametersOf = (task: V2Task, { engine, size, from }: Window, place = ''): Shown => {
  const names = namesOf[engine];
  return present({
    engine,
    [names.query]: task.keyword,
    location_requested: task.location_name,
    location_used: place,
    [names.country]: task.iso_code.toLowerCase(),
    [names.language]: languageFor(engine, task.language_code),
    ...domainOf(task, engine),
    ...(engine === 'google' && optionsOf(task)),
    device: task.device,
    ...(names.size && size !== engines[engine].resultsPerPage && { [names.size]: size }),
    ...(names.first && from > 0 && { [names.first]: from + names.base }),
  });
};

/** The digits of `About 1,230,000 results (0.42 seconds)`. */
const totalOf = (text: string): number | undefined => {
  const digits = /\d[\d.,\s\u00a0\u202f’']{0,20}/.exec(text)?.[0].replace(/\D/g, '') ?? '';
  return digits === '' ? undefined : Number(digits);
};

const informationOf = (found: Found): Shown => {
  const [spelling] = ofKinds(found, 'spelling');
  return present({
    query_displayed: found.task.keyword,
    total_results: totalOf(found.task.total_results),
    time_taken_displayed: found.task.search_time || undefined,
    organic_results_state: found.organic.length > 0 ? 'Results for exact spelling' : 'Fully empty',
    ...(spelling && {
      organic_results_state: 'Showing results for exact spelling despite spelling suggestion',
      spelling_fix: spelling.title,
    }),
  });
};

/** The next page, if this one is full and the service reads another one. */
const paginationOf = (found: Found, asked: Window, address: string): Shown => {
  const { engine, size, from } = asked;
  const names = namesOf[engine];
  const current = Math.floor(from / size) + 1;
  const most = engine === 'google' ? deepest : engines[engine].resultsPerPage * 10;
  const hasNext = names.first !== '' && found.organic.length >= size && from + 2 * size <= most;
  if (!hasNext) return { current };
  const { location_requested, ...given } = parametersOf(found.task, asked);
  const pageFrom = (first: number): string => {
    const asked = {
      ...given,
      ...(location_requested !== undefined && { location: location_requested }),
      ...(names.size && { [names.size]: size }),
      [names.first]: first + names.base,
    };
    const query = Object.fromEntries(Object.entries(asked).map(([name, value]) => [name, String(value)]));
    return `${address}/search.json?${new URLSearchParams(query)}`;
  };
  const next = pageFrom(from + size);
  return { current, next_link: next, next };
};

/** The answer to a search that has ended. `place`: the full name of its place; empty if it is not known. */
export const answerOf = (found: Found, asked: Window, address: string, place = ''): Shown => {
  const { task, engine } = found;
  const lists = listsOf(found);
  return present({
    search_metadata: metadataOf(task, asked, address),
    search_parameters: parametersOf(task, asked, place),
    search_information: informationOf(found),
    ...lists,
    related_searches: relatedIn(found).map((query) => ({ query })),
    // In the words of the form. The page itself says that there are none.
    ...(Object.keys(lists).length === 0 && {
      error: `${engines[engine].title} hasn't returned any results for this query.`,
    }),
    pagination: { current: Math.floor(asked.from / asked.size) + 1 },
    serpapi_pagination: paginationOf(found, asked, address),
  });
};
