/** The tools: for each, its name, its arguments and the service that it calls. */
import * as v from 'valibot';
import { whileWaiting } from '../access/wait-slot.ts';
import { readAwaitedTask } from '../crawl/awaited.ts';
import { readV1Task } from '../crawl/read-task.ts';
import { findLiveVolumes } from '../keyword/ads/live-volume.ts';
import { isSandbox as isSandboxOfVolumes, volumeSource } from '../keyword/ads/source.ts';
import { createIdeasTask } from '../keyword/create.ts';
import { readIdeasTask } from '../keyword/view.ts';
import { allTrends, isSandboxSource, suggestionsOf } from '../keyword/web/source.ts';
import { suggest } from '../keyword/web/suggest.ts';
import { trends } from '../keyword/web/trends.ts';
import { locationOfCountry } from '../model/country-location.ts';
import { IsoCode } from '../model/crawl-request.ts';
import { defaultEngine } from '../model/engine.ts';
import { HttpError, type ValidationError } from '../model/http-error.ts';
import { IdeasRequest, LiveVolumeRequest } from '../model/keyword-request.ts';
import { Int, intBetween, Text } from '../model/scalar.ts';
import { SuggestRequest } from '../model/suggest.ts';
import { TrendsRequest } from '../model/trends.ts';
import { clock } from '../runtime/clock.ts';
import { maxWaitSeconds } from '../task/timing.ts';
import type { Answer } from './answer.ts';
import { originOfCall } from './origin.ts';
import { readPageText } from './read-page.ts';
import {
  checkSearch,
  engine,
  keyword,
  language,
  place,
  runSearch,
  searchEntries,
  showFound,
} from './search.ts';
import { showIdeas, showSuggestions, showTrends, showVolumes } from './show-keywords.ts';
import { described, effects, faultsIn, parse, type Tool, tool } from './tool.ts';

const taskId = described(Int, 'Of an answer');
const locationCode = described(v.optional(Int), 'Google Ads code');

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
const locationOf = (code: number | undefined, isoCode: string | undefined): number | undefined =>
  code ?? (isoCode === undefined ? undefined : locationOfCountry(isoCode));

/** The errors of a request in which the engine has another name. */
const faultsWithEngine = (schema: v.GenericSchema, request: object): ValidationError[] =>
  faultsIn(schema, request).map(({ loc: [part = 'body', name = '', ...rest], ...error }) => ({
    ...error,
    loc: [part, name === 'engine_name' ? 'engine' : name, ...rest],
  }));

/**
 * Right values in the place of wrong ones, so that a schema checks the arguments that depend on each
 * other.
 */
const standIns = { keyword: 'k', iso_code: 'US', location_name: '' };

const maxRankDepth = 100;

/** The title of the source of volumes and ideas, and whether the sandbox answers for it. */
const adsSource = () => ({ provider: volumeSource().title, isSandbox: isSandboxOfVolumes() });

export const tools: readonly Tool[] = [
  tool({
    name: 'search',
    title: 'Search',
    description: 'Results of a search engine: organic, ads and others.',
    entries: {
      ...searchEntries,
      depth: described(v.optional(intBetween(1, 100)), `1 to 100, ${defaultEngine} only`),
    },
    lists: ['results'],
    effect: effects.createsTask,
    check: checkSearch,
    run: async (args, caller) => showFound(await runSearch(args, caller), args.engine),
  }),
  tool({
    name: 'rank',
    title: 'Rank',
    description: 'Rank of a domain, and the first ten domains.',
    entries: {
      domain: described(v.pipe(Text, v.minLength(1)), 'Such as example.com'),
      ...searchEntries,
      depth: described(
        v.optional(intBetween(1, maxRankDepth)),
        `1 to ${maxRankDepth}, ${defaultEngine} only`,
      ),
    },
    lists: ['ranks', 'top_10'],
    effect: effects.createsTask,
    check: checkSearch,
    run: async ({ depth, ...args }, caller) => {
      const read = depth ?? (args.engine === defaultEngine ? maxRankDepth : undefined);
      return showFound(await runSearch({ ...args, depth: read }, caller), args.engine);
    },
  }),
  tool({
    name: 'read_task',
    title: 'Task',
    description: 'Waits for the result of a task.',
    entries: { task_id: taskId },
    lists: ['results', 'ideas'],
    effect: effects.reads,
    run: async ({ task_id }, { user }) =>
      firstFound([
        async () => showFound(await readAwaitedTask(user, task_id, maxWaitSeconds)),
        async () => showFound(await whileWaiting(user, () => readV1Task(user, task_id, maxWaitSeconds))),
        async () => {
          const { provider, isSandbox } = adsSource();
          const task = await whileWaiting(user, () => readIdeasTask(user, task_id, maxWaitSeconds));
          return showIdeas(task, provider, isSandbox);
        },
      ]),
  }),
  tool({
    name: 'read_page',
    title: 'Page',
    description: 'Text of a result page.',
    entries: { task_id: taskId, page: described(v.optional(Int, 1), 'Default: 1') },
    lists: ['lines'],
    effect: effects.reads,
    run: ({ task_id, page }, { user }) => readPageText(user, task_id, page),
  }),
  tool({
    name: 'keyword_volume',
    title: 'Volume',
    description: 'Monthly searches, competition and bids.',
    entries: {
      keywords: described(v.array(Text), 'At most 1000'),
      iso_code: described(v.optional(IsoCode), 'Default: the world'),
      location_code: locationCode,
      language_code: language,
    },
    lists: ['volumes'],
    effect: effects.asks,
    check: ({ keywords = [], location_code, language_code }) =>
      faultsIn(LiveVolumeRequest, { keywords, location_code, language_code }),
    run: async ({ keywords, iso_code, location_code, language_code }, { user }) => {
      const location = locationOf(location_code, iso_code) ?? null;
      const request = parse(LiveVolumeRequest, { keywords, location_code: location, language_code });
      const { body, headers } = await findLiveVolumes(user, request);
      const { provider, isSandbox } = adsSource();
      return showVolumes(body.results, provider, originOfCall(headers, isSandbox, clock()));
    },
  }),
  tool({
    name: 'keyword_ideas',
    title: 'Ideas',
    description: 'Keywords related to others or to a page.',
    entries: {
      keywords: described(v.optional(v.array(Text), []), 'At most 10'),
      page_url: described(v.optional(Text), 'Instead of keywords'),
      iso_code: described(v.optional(IsoCode), 'Default: US'),
      location_code: locationCode,
      language_code: described(v.optional(Text, 'en'), 'Default: en'),
    },
    lists: ['ideas'],
    effect: effects.createsTask,
    check: ({ keywords, page_url, location_code, language_code }) =>
      faultsIn(IdeasRequest, { keywords, page_url, location_code, language_code }),
    run: async ({ iso_code, location_code, page_url, ...args }, { user, baseUrl }) => {
      const location = locationOf(location_code, iso_code);
      const request = parse(IdeasRequest, {
        ...args,
        ...(page_url !== undefined && { page_url }),
        ...(location !== undefined && { location_code: location }),
      });
      const task = await whileWaiting(user, async () =>
        readIdeasTask(user, (await createIdeasTask(user, request, baseUrl)).id, maxWaitSeconds),
      );
      const { provider, isSandbox } = adsSource();
      return showIdeas(task, provider, isSandbox);
    },
  }),
  tool({
    name: 'suggest',
    title: 'Suggestions',
    description: 'Suggestions of an engine.',
    entries: {
      keyword,
      iso_code: place.iso_code,
      location_name: described(place.location_name, 'No effect'),
      engine,
      language_code: language,
    },
    lists: ['suggestions'],
    effect: effects.asks,
    check: ({ engine, ...args }) =>
      engine === undefined
        ? faultsIn(SuggestRequest, { ...standIns, keyword: args.keyword ?? standIns.keyword })
        : faultsWithEngine(SuggestRequest, { ...standIns, ...args, engine_name: engine }),
    run: async ({ engine, ...args }, { user }) => {
      const { value, age } = await suggest(user, parse(SuggestRequest, { ...args, engine_name: engine }));
      const isSandbox = isSandboxSource(suggestionsOf(engine));
      return showSuggestions(value, originOfCall(age, isSandbox, clock()));
    },
  }),
  tool({
    name: 'trends',
    title: 'Trends',
    description: 'Interest in a keyword over a year, or searches of today.',
    entries: { keyword: v.optional(keyword), iso_code: place.iso_code, engine, language_code: language },
    lists: ['interest', 'searches'],
    effect: effects.asks,
    check: ({ keyword, engine, ...args }, wrong) => {
      if (keyword === undefined && !wrong.has('keyword')) return [];
      if (engine === undefined) return [];
      const request = {
        ...standIns,
        ...args,
        ...(keyword !== undefined && { keyword }),
        engine_name: engine,
      };
      return faultsWithEngine(TrendsRequest, request);
    },
    run: async ({ keyword, iso_code, engine, language_code }, { user }) => {
      const ofKeyword = { keyword, iso_code, language_code, location_name: '', engine_name: engine };
      const request = parse(TrendsRequest, keyword === undefined ? { iso_code } : ofKeyword);
      const { value, age } = await trends(user, request);
      return showTrends(value, originOfCall(age, isSandboxSource(allTrends()), clock()));
    },
  }),
];
