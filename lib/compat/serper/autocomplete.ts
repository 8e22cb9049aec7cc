/** Completions of queries in the form of Serper. */
import * as v from 'valibot';
import { whileWaiting } from '../../access/wait-slot.ts';
import { validationErrorsOf } from '../../api/validation-errors.ts';
import { isSandboxSource, suggestionsOf } from '../../keyword/web/source.ts';
import { suggest } from '../../keyword/web/suggest.ts';
import { HttpError } from '../../model/http-error.ts';
import { SuggestRequest } from '../../model/suggest.ts';
import type { Account } from '../../model/user.ts';
import { clock } from '../../runtime/clock.ts';
import { renamed } from '../names.ts';
import { type Parameters, refuse, textIn } from '../read.ts';
import { type Caller, requireSearcher } from '../search.ts';

const names = { keyword: 'q', iso_code: 'gl', language_code: 'hl' };

/** @throws HttpError 400 and 422. */
const requestFor = (parameters: Parameters) => {
  const keyword = textIn(parameters, 'q');
  if (keyword === '') refuse('Missing query parameter');
  const { success, output, issues } = v.safeParse(
    SuggestRequest,
    {
      keyword,
      location_name: '',
      iso_code: textIn(parameters, 'gl').toUpperCase() || 'US',
      language_code: textIn(parameters, 'hl') || 'en',
    },
    { abortPipeEarly: true },
  );
  if (!success) throw new HttpError(422, renamed(validationErrorsOf('body', issues), names));
  return output;
};

type Completed = { suggestions: string[]; isReused: boolean; answeredAt: number };

/** A completion of a request that has its slot. */
const complete = async (
  user: Account,
  request: ReturnType<typeof requestFor>,
): Promise<Completed | HttpError> => {
  try {
    const { value, age } = await suggest(user, request, (run) => run());
    return {
      suggestions: value,
      isReused: age['x-cache'] === 'hit',
      answeredAt: clock() - Number(age.age),
    };
  } catch (error) {
    if (error instanceof HttpError) return error;
    throw error;
  }
};

const isError = (each: Completed | HttpError): each is HttpError => each instanceof HttpError;

const verdictOf = (each: Completed | HttpError): string => {
  if (isError(each)) return each.statusCode === 503 ? 'throttled' : 'error';
  return each.suggestions.length > 0 ? 'results' : 'empty';
};

/** Where the completions come from, in the headers of a search. */
const originOf = (results: readonly (Completed | HttpError)[]): Record<string, string> => {
  const completed = results.filter((each): each is Completed => !isError(each));
  const oldest = Math.min(...completed.map(({ answeredAt }) => answeredAt));
  return {
    'x-search-verdict': results.map(verdictOf).join(', '),
    'x-search-reused': String(completed.some(({ isReused }) => isReused)),
    'x-search-crawled-at': completed.length > 0 ? new Date(oldest * 1000).toISOString() : 'none',
    'x-search-source': isSandboxSource(suggestionsOf('google')) ? 'sandbox' : 'live',
  };
};

/**
 * The completions of each query, or its error, and headers that say where they come from.
 * @throws HttpError 400 and 422 for what cannot be asked; 403 if the user may only read; 429 and 503 as
 * `whileWaiting`.
 */
export const completeAll = async (queries: readonly Parameters[], { user }: Caller) => {
  requireSearcher(user);
  const requests = queries.map(requestFor);
  const results = await whileWaiting(user, () => Promise.all(requests.map((each) => complete(user, each))));
  return {
    results: results.map((each) => (isError(each) ? each : each.suggestions)),
    headers: originOf(results),
  };
};
