/**
 * Keyword data in the form of DataForSEO that is collected later: search volumes and keyword ideas. Both are
 * tasks of keyword ideas of our own, and a task of search volumes asks for the figures of its keywords only.
 */
import { whileWaiting } from '../../access/wait-slot.ts';
import type { RawResponse } from '../../api/route.ts';
import { isSandbox } from '../../keyword/ads/source.ts';
import { createFormTasks, type FormIdeas } from '../../keyword/create.ts';
import { HttpError } from '../../model/http-error.ts';
import { hasData } from '../../model/keyword-metrics.ts';
import { IdeasRequest, LiveVolumeRequest } from '../../model/keyword-request.ts';
import { payloadBytes } from '../../model/request-limits.ts';
import { isAccepted } from '../../runtime/back-pressure.ts';
import { clock } from '../../runtime/clock.ts';
import { listReady, markCollected } from '../../store/ready.ts';
import { readIdeasResult } from '../../store/results.ts';
import type { IdeasRow } from '../../store/task-row.ts';
import { readTaskRow } from '../../store/tasks.ts';
import { taskId } from '../../task/id.ts';
import { isFinal } from '../../task/status.ts';
import { lifetimeSeconds, maxWaitSeconds } from '../../task/timing.ts';
import { whenFinal } from '../../task/wait.ts';
import { causeOf } from '../found.ts';
import { asParameters, type Parameters, warningsAbout } from '../read.ts';
import type { Caller } from '../search.ts';
import { dateText } from './date-text.ts';
import { type Asking, envelope, type Outcome, refuseAll, statusOf } from './envelope.ts';
import { languageNamed, parametersIn, refusalOf, refuseField, tagIn, tasksIn, textOf } from './fields.ts';
import { answerOne, locationIn, originOf, parsed, shared, volumeOf } from './keywords.ts';
import { parseTaskId, taskIdOf } from './task-id.ts';

// An operation imports one file of a form.
export { dataforseoDialect } from './dialect.ts';

const names = ['search_volume', 'keywords_for_keywords'] as const;
type Name = (typeof names)[number];

/** @throws HttpError 404 for another function. */
const nameOf = (text: string): Name => {
  const name = names.find((each) => each === text);
  if (!name) throw new HttpError(404, 'Not Found');
  return name;
};

const nameOfRow = ({ figures_only }: IdeasRow): Name =>
  figures_only ? 'search_volume' : 'keywords_for_keywords';

/** Tasks of a request, and ready tasks in a list. */
const maxTasks = 100;
const maxReady = 1000;

/** A row of the table has 400 KB at most. */
const maxKeywordBytes = 300_000;

/** @throws TaskRefused, HttpError 422. */
const figuresIn = (keywords: unknown, location: number, language: string): FormIdeas => {
  const request = parsed(LiveVolumeRequest, {
    keywords,
    location_code: location,
    language_code: language || null,
  });
  if (request.keywords.length === 0) refuseField('keywords');
  if (payloadBytes(request.keywords) > maxKeywordBytes)
    refuseField('keywords', 'They have more than 300 KB.');
  return {
    keywords: request.keywords,
    location_code: location,
    language_code: request.language_code ?? '',
    figures_only: true,
  };
};

/** @throws HttpError 422. */
const ideasIn = (keywords: unknown, location: number, language: string): FormIdeas => {
  const request = parsed(IdeasRequest, { keywords, location_code: location, language_code: language });
  return {
    keywords: request.keywords,
    location_code: request.location_code,
    language_code: request.language_code,
  };
};

/** What a task asks for. @throws TaskRefused, HttpError 422. */
const askedIn = (parameters: Parameters, name: Name): FormIdeas => {
  for (const webhook of ['postback_url', 'pingback_url']) {
    if (textOf(parameters, webhook) !== '') refuseField(webhook, 'Read tasks_ready instead.');
  }
  const location = locationIn(parameters) ?? refuseField('location_code', 'A place is required.');
  const language = languageNamed(parameters);
  const tag = tagIn(parameters);
  const read = name === 'search_volume' ? figuresIn : ideasIn;
  return {
    ...read(parameters.keywords, location, language),
    form: 'dataforseo',
    ...(tag !== '' && { tag }),
  };
};

const echoed = (parameters: Parameters): Parameters => ({ se: 'google_ads', ...parameters });

type Prepared = { parameters: Parameters; asked: FormIdeas } | { data: Parameters; refused: Outcome };

const prepare = (value: unknown, name: Name): Prepared => {
  try {
    const parameters = parametersIn(value);
    return { parameters, asked: askedIn(parameters, name) };
  } catch (error) {
    return { data: asParameters(value) ?? {}, refused: refusalOf(error) };
  }
};

/**
 * Accepts tasks: each is accepted, or refused for itself.
 * @throws HttpError 404 for another function; 429 if the user has asked for too many keywords in this minute.
 */
export const postTasks = async (
  functionName: string,
  body: unknown,
  asking: Asking,
  { user, baseUrl }: Caller,
): Promise<RawResponse> => {
  const name = nameOf(functionName);
  const values = tasksIn(body);
  if (values.length === 0) return refuseAll(40502, asking);
  if (values.length > maxTasks) return refuseAll(40006, asking);
  const prepared = values.map((value) => prepare(value, name));
  const asked = prepared.flatMap((each) => ('asked' in each ? [each.asked] : []));
  const left = asked.length > 0 ? await createFormTasks(user, asked, baseUrl) : [];
  const outcomes = prepared.map((each): Outcome => {
    if ('refused' in each) return { ...each.refused, data: echoed(each.data) };
    const row = left.shift();
    if (!row) throw new Error('A task has no row');
    return { ...statusOf(20100), id: taskIdOf(row.id), data: echoed(each.parameters) };
  });
  const given = prepared.flatMap((each) => ('asked' in each ? [each.parameters] : []));
  return envelope(outcomes, { ...asking, headers: warningsAbout(Object.assign({}, ...given), shared) });
};

/** The figures of all keywords of a task. */
const resultOf = async (row: IdeasRow): Promise<{ result: object[]; isEmpty: boolean }> => {
  const { ideas = [] } = (await readIdeasResult(row)) ?? {};
  const about = { location_code: row.location_code, language_code: row.language_code };
  return {
    result: ideas.map(({ text, metrics }) => volumeOf(text, metrics, about)),
    isEmpty: !ideas.some(({ metrics }) => hasData(metrics)),
  };
};

/** The outcome of a task, and the headers that say how it ended. */
const outcomeOf = async (row: IdeasRow): Promise<{ outcome: Outcome; headers: Record<string, string> }> => {
  const verdict = (word: string) => ({ 'x-search-verdict': word });
  if (!isFinal(row.status)) return { outcome: statusOf(40602), headers: verdict('pending') };
  if (row.status !== 'success') {
    const { error_message } = row;
    const outcome = statusOf(40103, error_message ?? 'machinery: the task failed');
    return { outcome, headers: verdict(causeOf({ error_message })) };
  }
  const { result, isEmpty } = await resultOf(row);
  const age = { age: String(clock() - row.crawled_at) };
  const headers = originOf(isSandbox(), age, isEmpty);
  return { outcome: result.length > 0 ? { ...statusOf(20000), result } : statusOf(40102), headers };
};

const dataOf = (row: IdeasRow): Parameters => ({
  se: 'google_ads',
  keywords: row.keywords,
  location_code: row.location_code,
  ...(row.language_code && { language_code: row.language_code }),
  ...(row.tag && { tag: row.tag }),
});

/**
 * Reads a task with its figures. A task that has ended is then not listed as ready any more.
 * @throws HttpError 404 for another function.
 */
export const readTask = async (
  params: { function: string; id: string },
  asking: Asking,
  { user }: Caller,
): Promise<RawResponse> => {
  const name = nameOf(params.function);
  const number = parseTaskId(params.id);
  const id = params.id.slice(0, 36);
  const row = number === undefined ? undefined : await readTaskRow(user.id, number);
  if (row?.kind !== 'ideas') return envelope([{ ...statusOf(40401), id }], asking);
  if (nameOfRow(row) !== name) return envelope([{ ...statusOf(40002), id }], asking);
  const { outcome, headers } = await outcomeOf(row);
  // If the note is refused, the task is ready once more.
  if (isFinal(row.status)) await isAccepted(markCollected(row, row.status));
  return envelope([{ ...outcome, id, data: dataOf(row) }], { ...asking, headers });
};

const readyOf = (row: IdeasRow) => {
  const name = nameOfRow(row);
  const id = taskIdOf(row.id);
  return {
    id,
    se: 'google_ads',
    function: name,
    date_posted: dateText(row.created_at),
    tag: row.tag ?? '',
    endpoint: `/v3/keywords_data/google_ads/${name}/task_get/${id}`,
  };
};

/**
 * Lists the tasks of a function that have ended and were not read since, oldest first.
 * @throws HttpError 404 for another function.
 */
export const listReadyTasks = async (
  functionName: string,
  asking: Asking,
  { user }: Caller,
): Promise<RawResponse> => {
  const name = nameOf(functionName);
  const after = taskId(clock() - lifetimeSeconds, 0) - 1;
  const asked = { kind: 'ideas', form: 'dataforseo', after, limit: maxReady } as const;
  const rows = await listReady(user.id, asked, (row) => nameOfRow(row) === name);
  return envelope([{ ...statusOf(20000), data: { se: 'google_ads' }, result: rows.map(readyOf) }], asking);
};

/**
 * Finds keyword ideas while the request waits. The task that finds them is no task of the form.
 * @throws HttpError 429 and 503 as `whileWaiting`.
 */
export const findIdeas = (body: unknown, asking: Asking, { user, baseUrl }: Caller): Promise<RawResponse> =>
  answerOne(body, asking, 'google_ads', async (parameters) => {
    const { form: _, ...asked } = askedIn(parameters, 'keywords_for_keywords');
    const row = await whileWaiting(user, async () => {
      const [created] = await createFormTasks(user, [asked], baseUrl);
      if (!created) throw new Error('The task has no row');
      return whenFinal(created, maxWaitSeconds);
    });
    if (!row || !isFinal(row.status)) {
      throw new HttpError(503, 'timeout: the ideas were not found in time', {
        'x-search-verdict': 'timeout',
        'Retry-After': '30',
      });
    }
    if (row.status !== 'success') {
      const { error_message } = row;
      throw new HttpError(502, error_message ?? 'machinery: the task failed', {
        'x-search-verdict': causeOf({ error_message }),
      });
    }
    const { result, isEmpty } = await resultOf(row);
    return { result, headers: originOf(isSandbox(), {}, isEmpty), known: shared };
  });
