/**
 * What the tools `search` and `rank` share: their arguments, the check of them, and the task that answers.
 */
import * as v from 'valibot';
import { whileWaiting } from '../access/wait-slot.ts';
import { checkPlaces } from '../api/check-places.ts';
import { createAwaitedTask } from '../crawl/awaited.ts';
import { createV1Tasks } from '../crawl/create.ts';
import { readV1Task } from '../crawl/read-task.ts';
import { isSandbox } from '../fetcher/choose.ts';
import { CrawlRequest, crawlBodies, Device, GoogleCrawlRequest, IsoCode } from '../model/crawl-request.ts';
import { defaultEngine, type EngineName, engineNames, engines, isEngineDomain } from '../model/engine.ts';
import type { ValidationError } from '../model/http-error.ts';
import { Bool, choice, Text } from '../model/scalar.ts';
import { maxWaitSeconds } from '../task/timing.ts';
import type { Answer } from './answer.ts';
import type { SearchTask } from './progress.ts';
import { showSearch } from './show.ts';
import { type Caller, described, faultsIn, parse } from './tool.ts';

export const place = {
  iso_code: described(IsoCode, 'Such as US'),
  location_name: described(v.optional(Text, ''), 'Such as Berlin,Germany'),
};
export const engine = described(v.optional(choice(engineNames), defaultEngine), `Default: ${defaultEngine}`);
export const language = described(v.optional(Text, ''), 'Such as en');
export const keyword = described(Text, 'Words');

export const searchEntries = {
  keyword,
  ...place,
  engine,
  language_code: language,
  device: described(v.optional(Device, 'desktop'), 'Device'),
  fresh: described(v.optional(Bool, false), 'Reuse no pages'),
};

type SearchArgs = v.InferOutput<v.ObjectSchema<typeof searchEntries, undefined>> & {
  domain?: string;
  depth?: number | undefined;
};

/** The errors of a search that its engine decides on. Without an engine, those that all engines share. */
export const checkSearch = async ({
  engine,
  depth,
  fresh: _,
  ...args
}: Partial<SearchArgs>): Promise<ValidationError[]> => {
  const hasV2 = engine === defaultEngine;
  const schema = engine === undefined ? CrawlRequest : hasV2 ? GoogleCrawlRequest : crawlBodies[engine].one;
  const faults = [...faultsIn(schema, args), ...(await checkPlaces(args))];
  if (engine === undefined || hasV2 || depth === undefined) return faults;
  const msg = `Only ${defaultEngine} takes a depth: leave it out for ${engines[engine].title}`;
  return [...faults, { loc: ['body', 'depth'], type: 'value_error', msg }];
};

/**
 * Creates a search task, waits for its end, and returns it as it is then. `fresh`: no stored pages answer
 * it. Throws as `createAwaitedTask`.
 */
export const runSearch = async (
  { engine, depth, fresh, ...asked }: SearchArgs,
  { user, baseUrl }: Caller,
): Promise<SearchTask> => {
  const args = { ...asked, ...(fresh && { frequency: 0 }) };
  if (engine === defaultEngine) {
    const request = parse(GoogleCrawlRequest, { ...args, ...(depth !== undefined && { depth }) });
    return createAwaitedTask(user, request, baseUrl, maxWaitSeconds);
  }
  const request = parse(crawlBodies[engine].one, args);
  return whileWaiting(user, async () => {
    const [task] = await createV1Tasks(user, engine, [request], baseUrl);
    if (!task) throw new Error('The task has no row');
    return readV1Task(user, task.id, maxWaitSeconds);
  });
};

/** The engine of a task, which has the domain of its engine. */
const engineOf = ({ engine_domain }: SearchTask): EngineName =>
  engineNames.find((engine) => isEngineDomain(engine, engine_domain)) ?? defaultEngine;

/** The answer to a search. Throws as `showSearch`. */
export const showFound = (task: SearchTask, engine = engineOf(task)): Answer =>
  showSearch(task, isSandbox(engine));
