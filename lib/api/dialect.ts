/**
 * Wraps an operation in the form of another service: its clients send our keys in their way, and read errors
 * in their shape. The checks are those of `endpoint`, in the same order (Reading 25).
 */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { authenticate } from '../access/authenticate.ts';
import { HttpError } from '../model/http-error.ts';
import { noSearchHeaders } from '../model/no-search.ts';
import type { Account } from '../model/user.ts';
import { setting } from '../runtime/env.ts';
import { addToScope } from '../runtime/scope.ts';
import type { Hook, Run } from './call.ts';
import { limitingRate, permitting } from './endpoint.ts';
import { logFailure } from './log-failure.ts';
import { addressOf } from './request.ts';
import { rawResponse } from './response.ts';
import type { RawResponse, Route } from './route.ts';
import { checkShownUser, sessionTokenOf } from './session-cookie.ts';
import { asUnavailable } from './unavailable.ts';
import { limitingSize, parsing, wrap } from './wrap.ts';

/** How the clients of another service send a key, and how that service writes an error. */
export type Dialect = {
  /** The account of the key that the request has. Throws as `authenticate`. */
  accountOf: (event: APIGatewayProxyEvent, address: string) => Promise<Account>;
  /** The response to a failure. `sentence` says what is wrong. */
  failure: (status: number, sentence: string, event: APIGatewayProxyEvent) => RawResponse;
};

/** The error in one sentence: of several errors of the input, each with its field. */
export const sentenceOf = ({ detail }: HttpError): string =>
  typeof detail === 'string'
    ? detail
    : detail.map(({ loc, msg }) => `${loc.slice(1).join('.') || loc[0]}: ${msg}`).join('; ');

/** The playground of the console shows a search in each form, and has a session in place of a key. */
const authenticating = ({ accountOf }: Dialect): Hook => ({
  before: async ({ event }) => {
    const session = sessionTokenOf(event);
    event.user =
      session === null
        ? await accountOf(event, addressOf(event))
        : await authenticate(`Bearer ${session}`, addressOf(event));
    checkShownUser(event, event.user);
    addToScope({ user_id: event.user.id });
  },
});

/** Headers that tell a client when it may try again, and what was asked for. */
const failureIn = (dialect: Dialect, error: HttpError, event: APIGatewayProxyEvent) => {
  const response = dialect.failure(error.statusCode, sentenceOf(error), event);
  const { 'WWW-Authenticate': _, ...headers } = error.headers;
  return rawResponse({ ...response, headers: { ...headers, ...response.headers } });
};

/** The headers of a search that the answer does not have. */
const missingHeaders = (): Record<string, string> => ({
  ...noSearchHeaders,
  'x-search-source': setting('SEARCH_SOURCE') === 'sandbox' ? 'sandbox' : 'live',
});

/** Each answer has all headers of a search: also a list, and an error before any search. */
const namingOrigin: Hook = {
  after: ({ response }) => {
    if (response) response.headers = { ...missingHeaders(), ...response.headers };
  },
};

/** What failed, if the request did not say. A client's own mistake has asked for nothing. */
const verdictOf = (status: number): Record<string, string> =>
  status < 500 ? {} : { 'x-search-verdict': status === 503 ? 'throttled' : 'error' };

/** The answer to a request that failed, in a form, with all headers of a search. */
const failureOf = (dialect: Dialect, error: HttpError, event: APIGatewayProxyEvent) => {
  const response = failureIn(dialect, error, event);
  const verdict = verdictOf(error.statusCode);
  return { ...response, headers: { ...missingHeaders(), ...verdict, ...response.headers } };
};

const failing = (dialect: Dialect): Hook => ({
  onError: (request) => {
    const known = asUnavailable(request.error);
    if (!(known instanceof HttpError)) logFailure('A request failed', request.error, {});
    const error = known instanceof HttpError ? known : new HttpError(500, 'Internal Server Error');
    request.response = failureOf(dialect, error, request.event);
  },
});

/** For requests of the form that no operation answers. */
const answering = (dialect: Dialect) => ({
  answerFailure: (error: HttpError, event: APIGatewayProxyEvent) => failureOf(dialect, error, event),
});

/** As `dialectEndpoint`, for a row that needs no key. */
export const openDialectEndpoint = <const R extends Route & { auth: 'none' }>(
  route: R,
  dialect: Dialect,
  run: Run<R>,
) =>
  Object.assign(
    wrap(route, [namingOrigin, failing(dialect), limitingSize(route), parsing(route)], run),
    answering(dialect),
  );

/** A handler for one row of the route table, in the form of another service. */
export const dialectEndpoint = <const R extends Route & { auth: 'form' }>(
  route: R,
  dialect: Dialect,
  run: Run<R>,
) =>
  Object.assign(
    wrap(
      route,
      [
        namingOrigin,
        // The hooks for errors run in the reverse order, so this one has the headers of all others.
        failing(dialect),
        authenticating(dialect),
        limitingSize(route),
        permitting(route),
        limitingRate,
        parsing(route),
      ],
      run,
    ),
    answering(dialect),
  );
