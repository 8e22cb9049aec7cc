/** The tools: for each, its name, its arguments and the service that it calls. */
import * as v from 'valibot';
import { whileWaiting } from '../access/wait-slot.ts';
import { checkPlaces } from '../api/check-places.ts';
import { createAwaitedTask, readAwaitedTask } from '../crawl/awaited.ts';
import { createV1Tasks } from '../crawl/create.ts';
import { readTaskHtml } from '../crawl/read-html.ts';
import { readV1Task } from '../crawl/read-task.ts';
import { findLiveVolumes } from '../keyword/ads/live-volume.ts';
import { createIdeasTask } from '../keyword/create.ts';
import { readIdeasTask } from '../keyword/view.ts';
import { suggest } from '../keyword/web/suggest.ts';
import { trends } from '../keyword/web/trends.ts';
import { locationOfCountry } from '../model/country-location.ts';
import { crawlBodies, Device, GoogleCrawlRequest, IsoCode } from '../model/crawl-request.ts';
import { defaultEngine, engineNames, engines } from '../model/engine.ts';
import { HttpError } from '../model/http-error.ts';
import { IdeasRequest, LiveVolumeRequest } from '../model/keyword-request.ts';
import { choice, fields, Int, intBetween, Text } from '../model/scalar.ts';
import { SuggestRequest } from '../model/suggest.ts';
import { TrendsRequest } from '../model/trends.ts';
import { maxWaitSeconds } from '../task/timing.ts';
import type { Answer } from './answer.ts';
import { pageLines } from './page-text.ts';
import {
  type SearchTask,
  showIdeas,
  showPage,
  showSearch,
  showSuggestions,
  showTrends,
  showVolumes,
} from './show.ts';
import { type Caller, described, parse, type Tool, tool } from './tool.ts';

const place = {
  iso_code: described(IsoCode, 'The country of the search: two letters, such as US'),
  location_name: described(
    v.optional(Text, ''),
    'A place in the country, such as Berlin,Germany. Empty: the country',
  ),
};
const engine = described(v.optional(choice(engineNames), defaultEngine), 'The search engine');
const language = described(
  v.optional(Text, ''),
  'A language that the engine serves, such as en. Empty: none is named',
);
const device = described(v.optional(Device, 'desktop'), 'The device of the search');
const keyword = described(Text, 'The words to search for');
const taskId = described(Int, 'The id of a task, which an earlier answer contains');
const locationCode = described(
  v.optional(Int),
  'The Google Ads code of a region or city. Without it, iso_code counts',
);

const SearchArgs = fields({
  keyword,
  ...place,
  engine,
  language_code: language,
  device,
  depth: described(
    v.optional(intBetween(1, 100)),
    `How many results are read (1 to 100). Only ${defaultEngine} takes it; the pages of the others are fixed`,
  ),
});

/**
 * Creates a search task, waits for its end, and returns it as it is then. Throws as `createAwaitedTask`, and
 * 422 if the place is in another country.
 */
const runSearch = async (
  { engine, depth, ...args }: v.InferOutput<typeof SearchArgs> & { domain?: string },
  { user, baseUrl }: Caller,
): Promise<SearchTask> => {
  const placeErrors = await checkPlaces(args);
  if (placeErrors.length > 0) throw new HttpError(422, placeErrors);
  if (engine === defaultEngine) {
    const request = parse(GoogleCrawlRequest, { ...args, ...(depth !== undefined && { depth }) });
    return createAwaitedTask(user, request, baseUrl, maxWaitSeconds);
  }
  if (depth !== undefined) {
    const msg = `Only ${defaultEngine} takes a depth: leave it out for ${engines[engine].title}`;
    throw new HttpError(422, [{ loc: ['body', 'depth'], type: 'value_error', msg }]);
  }
  const request = parse(crawlBodies[engine].one, args);
  return whileWaiting(user, async () => {
    const [task] = await createV1Tasks(user, engine, [request], baseUrl);
    if (!task) throw new Error('The task has no row');
    return readV1Task(user, task.id, maxWaitSeconds);
  });
};

const isUnknown = (error: unknown): boolean => error instanceof HttpError && error.statusCode === 404;

/** What the first of the reads finds. A task of another kind is unknown to a read. */
const firstFound = async (reads: readonly (() => Promise<Answer>)[]): Promise<Answer> => {
  for (const read of reads.slice(0, -1)) {
    try {
      return await read();
    } catch (error) {
      if (!isUnknown(error)) throw error;
    }
  }
  const last = reads.at(-1);
  if (!last) throw new Error('There is nothing to read');
  return last();
};

/** A location code, or that of the country. Undefined if neither is named. */
const locationOf = (code: number | undefined, country: string | undefined): number | undefined =>
  code ?? (country === undefined ? undefined : locationOfCountry(country));

const maxRankDepth = 100;

export const tools: readonly Tool[] = [
  tool(
    'search',
    'Searches with a search engine and returns the results: organic results, ads, overviews, questions and others, with titles, addresses and snippets.',
    SearchArgs.entries,
    async (args, caller) => showSearch(await runSearch(args, caller)),
  ),
  tool(
    'rank',
    'Finds the rank of a domain in the results for a keyword, and the first ten domains.',
    {
      domain: described(v.pipe(Text, v.minLength(1)), 'The domain whose rank is wanted, such as example.com'),
      ...SearchArgs.entries,
      depth: described(
        v.optional(intBetween(1, maxRankDepth)),
        `How many results are read (1 to ${maxRankDepth}, default ${maxRankDepth}). Only ${defaultEngine} takes it; of the others, ten pages are read`,
      ),
    },
    async ({ depth, ...args }, caller) => {
      const read = depth ?? (args.engine === defaultEngine ? maxRankDepth : undefined);
      return showSearch(await runSearch({ ...args, depth: read }, caller));
    },
  ),
  tool(
    'read_task',
    'Waits for a task that an earlier call returned unfinished, and returns its result.',
    { task_id: taskId },
    async ({ task_id }, { user }) =>
      firstFound([
        async () => showSearch(await readAwaitedTask(user, task_id, maxWaitSeconds)),
        async () => showSearch(await whileWaiting(user, () => readV1Task(user, task_id, maxWaitSeconds))),
        async () => showIdeas(await whileWaiting(user, () => readIdeasTask(user, task_id, maxWaitSeconds))),
      ]),
  ),
  tool(
    'read_page',
    'Returns the text of a result page of the engine that a search task has stored.',
    {
      task_id: taskId,
      page: described(v.optional(Int, 1), 'The number of the result page, from 1'),
    },
    async ({ task_id, page }, { user }) =>
      showPage(task_id, page, pageLines((await readTaskHtml(user, task_id, page)).html)),
  ),
  tool(
    'keyword_volume',
    'Returns how often keywords are searched for in a month, with competition, bids and the last months.',
    {
      keywords: described(v.array(Text), 'The keywords, at most 1000'),
      iso_code: described(v.optional(IsoCode), 'The country: two letters. Without it, the whole world'),
      location_code: locationCode,
      language_code: language,
    },
    async ({ keywords, iso_code, location_code, language_code }, { user }) => {
      const location = locationOf(location_code, iso_code) ?? null;
      const request = parse(LiveVolumeRequest, { keywords, location_code: location, language_code });
      return showVolumes((await findLiveVolumes(user, request)).body.results);
    },
  ),
  tool(
    'keyword_ideas',
    'Finds keywords that are related to some keywords or to a page, with their search volume.',
    {
      keywords: described(v.optional(v.array(Text), []), 'The seed keywords, at most 10'),
      page_url: described(v.optional(Text), 'A page that the ideas should fit'),
      iso_code: described(v.optional(IsoCode), 'The country: two letters. Without it, the United States'),
      location_code: locationCode,
      language_code: described(v.optional(Text, 'en'), 'The language of the keywords. Empty: any language'),
    },
    async ({ iso_code, location_code, page_url, ...args }, { user, baseUrl }) => {
      const location = locationOf(location_code, iso_code);
      const request = parse(IdeasRequest, {
        ...args,
        ...(page_url !== undefined && { page_url }),
        ...(location !== undefined && { location_code: location }),
      });
      const task = await whileWaiting(user, async () =>
        readIdeasTask(user, (await createIdeasTask(user, request, baseUrl)).id, maxWaitSeconds),
      );
      return showIdeas(task);
    },
  ),
  tool(
    'suggest',
    'Returns what an engine suggests to a person who types a keyword.',
    { keyword, ...place, engine, language_code: language },
    async ({ engine, ...args }) =>
      showSuggestions((await suggest(parse(SuggestRequest, { ...args, engine_name: engine }))).value),
  ),
  tool(
    'trends',
    'With a keyword: the interest in it over twelve months, and related queries. Without one: what people in the country search for now.',
    {
      keyword: described(
        v.optional(Text),
        'The keyword. Leave it out for the trending searches of the country',
      ),
      iso_code: place.iso_code,
      engine,
      language_code: language,
    },
    async ({ keyword, iso_code, engine, language_code }) => {
      const ofKeyword = { keyword, iso_code, language_code, location_name: '', engine_name: engine };
      const request = parse(TrendsRequest, keyword === undefined ? { iso_code } : ofKeyword);
      return showTrends((await trends(request)).value);
    },
  ),
];
