/**
 * Keyword data in the form of DataForSEO that is collected later: search volumes and keyword ideas. Both are
 * tasks of keyword ideas of our own, and a task of search volumes asks for the figures of its keywords only.
 */
import { whileWaiting } from '../../access/wait-slot.ts';
import type { RawResponse } from '../../api/route.ts';
import { isSandbox } from '../../keyword/ads/source.ts';
import { createFormTasks, type FormIdeas } from '../../keyword/create.ts';
import { HttpError } from '../../model/http-error.ts';
import { IdeasRequest, LiveVolumeRequest } from '../../model/keyword-request.ts';
import { payloadBytes } from '../../model/request-limits.ts';
import { isAccepted } from '../../runtime/back-pressure.ts';
import { clock } from '../../runtime/clock.ts';
import { listReady, markCollected } from '../../store/ready.ts';
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
import { type Asking, envelope, type Outcome, refuseAll, type Status, statusOf } from './envelope.ts';
import {
  languageNamed,
  parametersIn,
  refusalOf,
  refuseField,
  TaskRefused,
  tagIn,
  tasksIn,
  unusedNames,
} from './fields.ts';
import { originOf } from './figures.ts';
import {
  type FunctionName,
  functionNames,
  keywordDataOf,
  keywordOutcomeOf,
  nameOfRow,
  resultOf,
} from './keyword-result.ts';
import { answerOne, locationIn, parsed, shared } from './keywords.ts';
import { parseTaskId, taskIdOf } from './task-id.ts';
import { faultsOf, refusalOfAll } from './task-limits.ts';
import { keywordWebhookNames, onlyForm, webhookIn } from './webhook-request.ts';

// An operation imports one file of a form.
export { dataforseoDialect } from './dialect.ts';

/** @throws HttpError 404 for another function. */
const nameOf = (text: string): FunctionName => {
  const name = functionNames.find((each) => each === text);
  if (!name) throw new HttpError(404, 'Not Found');
  return name;
};

/** Ready tasks in a list. */
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
const askedIn = (parameters: Parameters, name: FunctionName): FormIdeas => {
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

const prepare = (value: unknown, name: FunctionName, fault: Status | undefined): Prepared => {
  try {
    const parameters = parametersIn(value);
    const { url, form_webhook } = webhookIn(parameters, onlyForm) ?? {};
    if (fault) throw new TaskRefused(fault);
    const asked = askedIn(parameters, name);
    return { parameters, asked: { ...asked, ...(url && { postback_url: url, form_webhook }) } };
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
  const refusal = refusalOfAll(values);
  if (refusal) return refuseAll(refusal, asking);
  const faults = await faultsOf(values);
  const prepared = values.map((value, n) => prepare(value, name, faults.get(n)));
  const asked = prepared.flatMap((each) => ('asked' in each ? [each.asked] : []));
  const left = asked.length > 0 ? await createFormTasks(user, asked, baseUrl) : [];
  const outcomes = prepared.map((each): Outcome => {
    if ('refused' in each) return { ...each.refused, data: echoed(each.data) };
    const row = left.shift();
    if (!row) throw new Error('A task has no row');
    return { ...statusOf(20100), id: taskIdOf(row.id), data: echoed(each.parameters) };
  });
  const given = prepared.flatMap((each) => ('asked' in each ? [each.parameters] : []));
  const known = [...shared, ...keywordWebhookNames];
  const headers = warningsAbout(Object.assign({}, ...given), known, [...new Set(given.flatMap(unusedNames))]);
  return envelope(outcomes, { ...asking, headers });
};

/** How a task has ended, and where its figures come from. */
const headersOf = (row: IdeasRow, isEmpty: boolean): Record<string, string> => {
  if (!isFinal(row.status)) return { 'x-search-verdict': 'pending' };
  if (row.status !== 'success') return { 'x-search-verdict': causeOf(row) };
  return originOf(isSandbox(), { age: String(clock() - row.crawled_at) }, isEmpty);
};

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
  const { outcome, isEmpty } = await keywordOutcomeOf(row);
  // If the note is refused, the task is ready once more.
  if (isFinal(row.status)) await isAccepted(markCollected(row, row.status));
  const headers = headersOf(row, isEmpty);
  return envelope([{ ...outcome, id, data: keywordDataOf(row) }], { ...asking, headers });
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
