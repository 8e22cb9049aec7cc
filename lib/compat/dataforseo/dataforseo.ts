/**
 * Searches in the form of DataForSEO: tasks that are collected later, and live ones. The id of a task
 * contains that of ours, so nothing is stored for it. Only the list of ready tasks and the webhooks need
 * attributes of the row. The list is in an index (`lib/store/ready.ts`).
 */
import { countPages } from '../../access/rate.ts';
import type { RawResponse } from '../../api/route.ts';
import { type AnySearch, createSearches } from '../../crawl/create.ts';
import { readSearch } from '../../crawl/read-task.ts';
import { type EngineName, pageCount } from '../../model/engine.ts';
import { HttpError } from '../../model/http-error.ts';
import { isAccepted } from '../../runtime/back-pressure.ts';
import { clock } from '../../runtime/clock.ts';
import { listReady as listReadyRows, markCollected } from '../../store/ready.ts';
import type { SerpRow } from '../../store/task-row.ts';
import { taskId } from '../../task/id.ts';
import { isFinal } from '../../task/status.ts';
import { lifetimeSeconds } from '../../task/timing.ts';
import { warningsIn } from '../names.ts';
import { asParameters, type Parameters, warningsAbout } from '../read.ts';
import { type Caller, lateHeaders, runSearch, searchFor, verdictHeaders } from '../search.ts';
import { dateText } from './date-text.ts';
import { type Asking, envelope, type Outcome, refuseAll, type Status, statusOf } from './envelope.ts';
import { numberOf, parametersIn, refusalOf, TaskRefused, tagIn, tasksIn, unusedNames } from './fields.ts';
import { type Form, isForm } from './form.ts';
import { namesFor } from './names.ts';
import { askedIn, isEngine, knownOf, unusedOptions } from './request.ts';
import { dataOf, outcomeOf, type Task } from './result.ts';
import { parseTaskId, taskIdOf } from './task-id.ts';
import { faultsOf, refusalOfAll } from './task-limits.ts';
import { namedForm, webhookIn, webhookNames } from './webhook-request.ts';

// An operation imports one file of a form.
export { dataforseoDialect } from './dialect.ts';

/** Ready tasks in a list. */
const maxReady = 1000;

/** @throws HttpError 404 for another engine. */
const engineOf = (name: string): EngineName => {
  if (!isEngine(name)) throw new HttpError(404, 'Not Found');
  return name;
};

/** @throws HttpError 404 for another form. */
const formOf = (name: string): Form => {
  if (!isForm(name)) throw new HttpError(404, 'Not Found');
  return name;
};

type Prepared = { parameters: Parameters; search: AnySearch } | { data: Parameters; refused: Outcome };

const echoed = (engine: EngineName, parameters: Parameters): Parameters => ({
  se: engine,
  se_type: 'organic',
  ...parameters,
});

/** `fault`: what is wrong with the address of its webhook. */
const prepare = async (value: unknown, engine: EngineName, fault: Status | undefined): Promise<Prepared> => {
  try {
    const parameters = parametersIn(value);
    const { name = 'postback_url', url = null, form_webhook } = webhookIn(parameters, namedForm) ?? {};
    if (fault) throw new TaskRefused(fault);
    const priority = numberOf(parameters, 'priority', 1, 2) ?? 1;
    const more = { post_id: tagIn(parameters), priority, postback_url: url };
    const names = { ...namesFor(engine), postback_url: name };
    const search = await searchFor(askedIn(parameters, engine), names, more);
    return {
      parameters,
      search: { ...search, form: 'dataforseo', ...(form_webhook && { form_webhook }) },
    };
  } catch (error) {
    return { data: asParameters(value) ?? {}, refused: refusalOf(error) };
  }
};

const warningsFor = (known: readonly string[], all: readonly Parameters[], more: readonly string[] = []) =>
  warningsAbout(Object.assign({}, ...all), known, [...new Set([...all.flatMap(unusedNames), ...more])]);

/**
 * Accepts tasks: each is accepted, or refused for itself.
 * @throws HttpError 404 for another engine, 429 if the user has queued too many pages in this minute, 413 as
 * `createSearches`.
 */
export const postTasks = async (
  engineName: string,
  body: unknown,
  asking: Asking,
  { user, baseUrl }: Caller,
): Promise<RawResponse> => {
  const engine = engineOf(engineName);
  const values = tasksIn(body);
  const refusal = refusalOfAll(values);
  if (refusal) return refuseAll(refusal, asking);
  const faults = await faultsOf(values);
  const prepared = await Promise.all(values.map((value, n) => prepare(value, engine, faults.get(n))));
  const searches = prepared.flatMap((each) => ('search' in each ? [each.search] : []));
  const pages = searches.reduce((sum, { depth }) => sum + pageCount(engine, depth), 0);
  const admit = () => countPages(user, pages);
  const rows = searches.length > 0 ? await createSearches(user, searches, baseUrl, { admit }) : [];
  const left = [...rows];
  const outcomes = prepared.map((each): Outcome => {
    if ('refused' in each) return { ...each.refused, data: echoed(engine, each.data) };
    const row = left.shift();
    if (!row) throw new Error('A task has no row');
    return { ...statusOf(20100), id: taskIdOf(row.id), data: echoed(engine, each.parameters) };
  });
  const given = prepared.flatMap((each) => ('search' in each ? [each.parameters] : []));
  const headers = warningsFor([...knownOf(engine), ...webhookNames], given, [
    ...given.flatMap((each) => unusedOptions(engine, each)),
    ...rows.flatMap(({ warnings = [] }) => warningsIn({ warnings }, namesFor(engine))),
  ]);
  return envelope(outcomes, { ...asking, headers });
};

/** A search that did not end while its request waited is no task in a queue: the client cannot collect it. */
const asLive = (outcome: Outcome): Outcome =>
  outcome.status_code === 40602 ? statusOf(40103, 'timeout: the search did not end in time.') : outcome;

/**
 * Runs a search while the request waits.
 * @throws HttpError 404 for another engine or form; 429 and 503 as `runSearch`.
 */
export const searchLive = async (
  params: { engine: string; form: string },
  body: unknown,
  asking: Asking,
  caller: Caller,
): Promise<RawResponse> => {
  const [engine, form] = [engineOf(params.engine), formOf(params.form)];
  const values = tasksIn(body);
  if (values.length !== 1) return refuseAll(values.length === 0 ? 40502 : 40000, asking);
  const data = echoed(engine, asParameters(values[0]) ?? {});
  try {
    const parameters = parametersIn(values[0]);
    tagIn(parameters);
    const task = await runSearch(askedIn(parameters, engine), namesFor(engine), caller);
    const { outcome, warnings } = await outcomeOf(caller.user, task, form);
    const unused = unusedOptions(engine, parameters);
    const origin = isFinal(task.status) ? verdictHeaders(task, engine) : lateHeaders(task, engine);
    const headers = { ...origin, ...warningsFor(knownOf(engine), [parameters], [...unused, ...warnings]) };
    return envelope([{ ...asLive(outcome), id: taskIdOf(task.id), data }], { ...asking, headers });
  } catch (error) {
    if (error instanceof HttpError && error.statusCode !== 422) throw error;
    return envelope([{ ...refusalOf(error), data }], asking);
  }
};

const findTask = async (user: Caller['user'], id: number): Promise<Task | undefined> => {
  try {
    return await readSearch(user, id);
  } catch (error) {
    if (error instanceof HttpError && error.statusCode === 404) return undefined;
    throw error;
  }
};

/**
 * Reads a task with its result. A task that has ended is then not listed as ready any more.
 * @throws HttpError 404 for another engine or form.
 */
export const readTask = async (
  params: { engine: string; form: string; id: string },
  asking: Asking,
  { user }: Caller,
): Promise<RawResponse> => {
  const [engine, form] = [engineOf(params.engine), formOf(params.form)];
  const number = parseTaskId(params.id);
  const id = params.id.slice(0, 36);
  const task = number === undefined ? undefined : await findTask(user, number);
  if (!task) return envelope([{ ...statusOf(40401), id }], asking);
  if (task.engine !== engine) return envelope([{ ...statusOf(40002), id }], asking);
  const { outcome, warnings } = await outcomeOf(user, task, form);
  // If the note is refused, the task is ready once more.
  if (isFinal(task.status)) await isAccepted(markCollected({ user_id: user.id, id: task.id }, task.status));
  const headers = { ...verdictHeaders(task, engine), ...warningsAbout({}, [], warnings) };
  return envelope([{ ...outcome, id, data: dataOf(task) }], { ...asking, headers });
};

const readyOf = ({ id, engine, created_at, post_id }: SerpRow) => {
  const uuid = taskIdOf(id);
  const endpoint = (form: Form) => `/v3/serp/${engine}/organic/task_get/${form}/${uuid}`;
  return {
    id: uuid,
    se: engine,
    se_type: 'organic',
    date_posted: dateText(created_at),
    tag: post_id,
    endpoint_regular: endpoint('regular'),
    endpoint_advanced: endpoint('advanced'),
    endpoint_html: endpoint('html'),
  };
};

/**
 * Lists the tasks that have ended and were not read since, oldest first.
 * @throws HttpError 404 for another engine.
 */
export const listReady = async (
  engineName: string,
  asking: Asking,
  { user }: Caller,
): Promise<RawResponse> => {
  const engine = engineOf(engineName);
  const after = taskId(clock() - lifetimeSeconds, 0) - 1;
  const asked = { kind: 'serp', form: 'dataforseo', after, limit: maxReady } as const;
  const rows = await listReadyRows(user.id, asked, (row) => row.engine === engine);
  const result = rows.map(readyOf);
  return envelope([{ ...statusOf(20000), data: { se: engine, se_type: 'organic' }, result }], asking);
};
