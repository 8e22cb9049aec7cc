/**
 * The envelope of answers in the form of DataForSEO: a status of the request, and one for each of its tasks.
 * Pure, but for the duration.
 */
import { randomUUID } from 'node:crypto';
import type { RawResponse } from '../../api/route.ts';
import { version } from '../../model/version.ts';
import { stopwatch } from '../../runtime/clock.ts';
import type { Parameters } from '../read.ts';

/** The codes of the form that the service gives, with their messages. */
export const messages = {
  20000: 'Ok.',
  20100: 'Task Created.',
  40000: 'You can set only one task at a time.',
  40002: 'This id is used by another search engine, check the Path.',
  40006: 'You can set only 100 tasks at a time.',
  40100: 'You are not Authorized to Access this Resource.',
  40102: 'No Search Results.',
  40103: 'Task execution failed.',
  40202: 'The rate-limit per minute has been exceeded.',
  40204: 'Access denied.',
  40400: 'Not Found.',
  40401: 'Task Not Found.',
  40402: 'Invalid Path.',
  40501: 'Invalid Field.',
  40502: 'POST Data Is Empty.',
  40503: 'POST Data Is Invalid.',
  40602: 'Task In Queue.',
  50000: 'Internal Error.',
  50301: '3rd Party API Service Unavailable.',
} as const;

export type Code = keyof typeof messages;

/** A code and its message, with what is known besides. */
export type Status = { status_code: Code; status_message: string };

export const statusOf = (code: Code, more = ''): Status => ({
  status_code: code,
  status_message: more === '' ? messages[code] : `${messages[code]} ${more}`,
});

/** A field of a request that cannot be used. */
export const invalidField = (name: string, why = ''): Status => ({
  status_code: 40501,
  status_message: `Invalid Field: '${name}'.${why && ` ${why}`}`,
});

/** An outcome of one of the tasks in a request. `result`: null if there is none. */
export type Outcome = Status & { id?: string; data?: Parameters; result?: readonly object[] | null };

const secondsSince = (began: number): string => `${((stopwatch() - began) / 1000).toFixed(4)} sec.`;

const isGood = ({ status_code }: Outcome): boolean => status_code < 40000;

/** The parts of a path: `v3`, `serp`, `google` … */
export const partsOf = (path: string): string[] => {
  const parts = path.split('/').filter(Boolean);
  return parts.slice(parts.indexOf('v3'));
};

/** A request: its path, and when it began. */
export type Asking = { path: string; began: number };

/** The envelope of outcomes. The service bills nothing, so `cost` is 0. */
export const envelopeOf = (outcomes: readonly Outcome[], { path, began }: Asking) => {
  const parts = partsOf(path);
  const time = secondsSince(began);
  const [, api] = parts;
  const tasks = outcomes.map(({ id, status_code, status_message, data = {}, result = null }) => ({
    id: id ?? randomUUID(),
    status_code,
    status_message,
    time,
    cost: 0,
    result_count: result?.length ?? 0,
    path: parts,
    // The first of two: `search_volume/live` is `search_volume`.
    data: { api, function: parts.find((part) => functions.has(part)) ?? parts.at(-1), ...data },
    result,
  }));
  return {
    version,
    ...statusOf(20000),
    time,
    cost: 0,
    tasks_count: tasks.length,
    tasks_error: outcomes.filter((each) => !isGood(each)).length,
    tasks,
  };
};

/** The answer to a request. */
export const envelope = (
  outcomes: readonly Outcome[],
  { headers = {}, ...asking }: Asking & { headers?: Record<string, string> },
): RawResponse => ({
  statusCode: 200,
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(envelopeOf(outcomes, asking)),
});

/** The answer to a request without tasks, with too many, or with more than one where one is allowed. */
export const refuseAll = (code: Code, asking: Asking): RawResponse => envelope([statusOf(code)], asking);

/** The functions of searches, and of lists of names; keyword data has the name of its data instead. */
const functions = new Set(
  ['task_post', 'tasks_ready', 'task_get', 'live', 'locations', 'languages'].concat([
    'search_volume',
    'keywords_for_keywords',
    'explore',
  ]),
);
