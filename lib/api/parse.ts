/** Parses what a client sent: path, query and body together, so that all faults are listed at once (Readings 25 to 29). */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as v from 'valibot';
import { type Fault, HttpError } from '../model/http-error.ts';
import { maxListedErrors } from '../model/request-limits.ts';
import { postbackFaults } from './check-postback-urls.ts';
import { bodyOf, headerOf, paramsOf, queryOf } from './request.ts';
import type { Route } from './route.ts';
import { faultsOf } from './validation-errors.ts';

export type Input = { body: unknown; query: unknown; params: unknown };

const isJson = (contentType: string): boolean => {
  const essence = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return essence === 'application/json' || /^application\/[^\s/]+\+json$/.test(essence);
};

/** The body's JSON value; undefined where there is no body, the text as it is where it is sent as another type. */
const readBody = (event: APIGatewayProxyEvent): unknown => {
  const bytes = bodyOf(event);
  if (bytes.byteLength === 0) return undefined;
  if (!isJson(headerOf(event, 'content-type') || 'application/json')) return bytes.toString('latin1');
  try {
    // Fatal: what is not UTF-8 is not JSON. A byte order mark is taken off.
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new HttpError(400, 'The body is not valid JSON');
  }
};

const parseBody = async (route: Route, value: unknown): Promise<{ output?: unknown; faults: Fault[] }> => {
  if (!route.body) return { faults: [] };
  if (value === undefined || value === null) {
    return { faults: [{ loc: ['body'], type: 'missing', msg: 'Field required' }] };
  }
  const { output, faults } = parsePart('body', route.body, value);
  return { output, faults: route.delivers ? [...faults, ...(await postbackFaults(value))] : faults };
};

const parsePart = (
  part: 'body' | 'query' | 'path',
  schema: v.GenericSchema | undefined,
  value: unknown,
): { output?: unknown; faults: Fault[] } => {
  if (!schema) return { faults: [] };
  const { success, output, issues } = v.safeParse(schema, value, { abortPipeEarly: true });
  return success ? { output, faults: [] } : { faults: faultsOf(part, issues.slice(0, maxListedErrors)) };
};

/**
 * The parsed parts of a request.
 * @throws HttpError 400 for what is no JSON and for an empty batch, 422 with all faults for what is not as the route says.
 */
export const parseInput = async (route: Route, event: APIGatewayProxyEvent): Promise<Input> => {
  const value = route.body && readBody(event);
  const params = parsePart('path', route.params, paramsOf(event));
  const query = parsePart('query', route.query, queryOf(event));
  const body = await parseBody(route, value);
  const faults = [...params.faults, ...query.faults, ...body.faults];
  if (faults.length > 0) throw new HttpError(422, faults.slice(0, maxListedErrors));
  if (Array.isArray(body.output) && body.output.length === 0) throw new HttpError(400, 'The batch is empty');
  return { body: body.output, query: query.output, params: params.output };
};
