/**
 * Parses the input of a request: path, query, headers and body together, so that one response lists all
 * errors (Readings 25 to 29).
 */
import { createHash } from 'node:crypto';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as v from 'valibot';
import { emptyBatch, HttpError, type ValidationError } from '../model/http-error.ts';
import { type IdempotencyKey, idempotencyHeader, idempotencyPattern } from '../model/idempotency.ts';
import { maxListedErrors } from '../model/request-limits.ts';
import { checkPlaces } from './check-places.ts';
import { checkUrls, findAlertUrls, findUrls } from './check-postback-urls.ts';
import { ignoredFields } from './ignored-fields.ts';
import { parseJsonBody } from './json-body.ts';
import { bodyOf, headerOf, paramsOf, queryOf } from './request.ts';
import type { Route } from './route.ts';
import { validationErrorsOf } from './validation-errors.ts';

export type Input = {
  body: unknown;
  query: unknown;
  params: unknown;
  headers: unknown;
  idempotency?: IdempotencyKey;
  /** The fields of the body that its schema does not have. */
  ignored?: string[];
};

type Parsed = { output?: unknown; errors: ValidationError[] };

/** The media type in a content type, without its parameters. */
const essenceOf = (contentType = ''): string => contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';

const isJson = (contentType: string): boolean =>
  /^application\/([^\s/]+\+)?json$/.test(essenceOf(contentType));

/**
 * Media type → how a body of that type is read as the value of a JSON body. Throws HttpError 400 if it cannot
 * be read.
 */
export type Formats = Readonly<Record<string, (bytes: Uint8Array) => unknown>>;

/**
 * The JSON value of the body. Undefined if there is no body; the raw text if the content type is not JSON and
 * none of the formats.
 */
const readBody = (event: APIGatewayProxyEvent, formats: Formats): unknown => {
  const bytes = bodyOf(event);
  if (bytes.byteLength === 0) return undefined;
  const format = formats[essenceOf(headerOf(event, 'content-type'))];
  if (format) return format(bytes);
  if (!isJson(headerOf(event, 'content-type') || 'application/json')) return bytes.toString('latin1');
  return parseJsonBody(bytes);
};

/**
 * The fields of a form by name. As in FastAPI, the last value of a repeated name counts, an empty field is
 * missing, and a body of another content type has no fields.
 */
const readForm = (event: APIGatewayProxyEvent): Record<string, string> => {
  if (essenceOf(headerOf(event, 'content-type')) !== 'application/x-www-form-urlencoded') return {};
  const fields = Object.fromEntries(new URLSearchParams(bodyOf(event).toString('utf8')));
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
};

const parseBody = (route: Route, value: unknown, params: Parsed): Parsed => {
  if (!route.body) return { errors: [] };
  const schema = (params.errors.length === 0 && route.bodyFor?.(params.output)) || route.body;
  if ((value === undefined || value === null) && schema.type !== 'optional') {
    return { errors: [{ loc: ['body'], type: 'missing', msg: 'Field required' }] };
  }
  return parsePart('body', schema, value);
};

/** The names in a body of JSON or of a form; none in a body of another kind, or one that cannot be read. */
const namesInBody = (event: APIGatewayProxyEvent): string[] => {
  try {
    const value = readBody(event, {});
    return Object.keys(typeof value === 'object' && value !== null ? value : readForm(event));
  } catch (error) {
    if (error instanceof HttpError) return [];
    throw error;
  }
};

/**
 * Errors for query parameters in the body of a request that has none: `{"grace": 0}` would be ignored, and a
 * key that its user wants to end would work for a day. Any other body is ignored.
 */
const misplacedErrors = (route: Route, event: APIGatewayProxyEvent): ValidationError[] => {
  if (route.body || route.method === 'GET' || !route.query || !('entries' in route.query)) return [];
  const known = Object.keys(route.query.entries as object);
  const misplaced = namesInBody(event).filter((name) => known.includes(name));
  const msg = (name: string) => `Value error, ${name} is a query parameter, as in ?${name}=`;
  return misplaced.map((name) => ({ loc: ['body', name], type: 'value_error', msg: msg(name) }));
};

/** The headers that the route reads. A header that the request does not have is absent. */
const headersOf = ({ headers }: Route, event: APIGatewayProxyEvent): Record<string, string> => {
  const names = headers && 'entries' in headers ? Object.keys(headers.entries as object) : [];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headerOf(event, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
};

/** The webhook URLs of a request: in its body, and in the header that the route names. */
const urlsOf = (route: Route, body: unknown, headers: Record<string, string>) => {
  const name = route.postbackHeader;
  const url = name && headers[name];
  return [
    ...(url ? [{ loc: ['header', name], url }] : []),
    ...(route.delivers ? findUrls(body) : []),
    ...(route.alerts ? findAlertUrls(body) : []),
  ];
};

const parsePart = (
  part: 'body' | 'query' | 'path' | 'header',
  schema: v.GenericSchema | undefined,
  value: unknown,
): Parsed => {
  if (!schema) return { errors: [] };
  const { success, output, issues } = v.safeParse(schema, value, { abortPipeEarly: true });
  return success
    ? { output, errors: [] }
    : { errors: validationErrorsOf(part, issues.slice(0, maxListedErrors)) };
};

/**
 * The same text for the same JSON value: without white space, and with the names of each object in one order.
 */
const canonical = (value: unknown): string => {
  // Of no value at all, the function gives no text.
  const text: string | undefined = JSON.stringify(value, (_, each: unknown) => {
    if (typeof each === 'bigint') return { bigint: String(each) };
    if (typeof each !== 'object' || each === null || Array.isArray(each)) return each;
    return Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
  return text ?? '';
};

/** The hash of what a request creates: its body, and the webhook URL in the header that the route names. */
const hashOf = ({ postbackHeader }: Route, value: unknown, event: APIGatewayProxyEvent): string => {
  const url = postbackHeader && headerOf(event, postbackHeader);
  return createHash('sha256')
    .update(canonical(url ? { body: value, url } : value))
    .digest('base64url');
};

/** The path of a request in one spelling: that of the route, with the values that the request has. */
const spelledPath = ({ path }: Route, event: APIGatewayProxyEvent): string => {
  const params = paramsOf(event);
  return path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');
};

const parseKey = (
  route: Route,
  event: APIGatewayProxyEvent,
  body: unknown,
): { key?: IdempotencyKey; errors: ValidationError[] } => {
  const key = route.creates && headerOf(event, idempotencyHeader);
  if (key === undefined) return { errors: [] };
  if (idempotencyPattern.test(key)) {
    return { key: { key, path: spelledPath(route, event), body: hashOf(route, body, event) }, errors: [] };
  }
  const msg = 'Value error, not 1 to 255 visible ASCII characters';
  return { errors: [{ loc: ['header', idempotencyHeader.toLowerCase()], type: 'value_error', msg }] };
};

/** @throws HttpError 400 if the body is compressed. That its bytes are not JSON would not say why. */
const refuseCompressed = (event: APIGatewayProxyEvent): void => {
  const coding = headerOf(event, 'content-encoding')?.trim().toLowerCase() || 'identity';
  if (coding !== 'identity' && bodyOf(event).byteLength > 0) {
    throw new HttpError(400, 'The body is compressed: send it without Content-Encoding');
  }
};

/**
 * The parsed parts of a request.
 * @throws HttpError 400 if the body is compressed, is not JSON or is an empty batch, 422 with all errors if a
 * part does not match its schema.
 */
export const parseInput = async (
  route: Route,
  event: APIGatewayProxyEvent,
  formats: Formats = {},
): Promise<Input> => {
  if (route.body) refuseCompressed(event);
  const value = route.body && (route.isForm ? readForm(event) : readBody(event, formats));
  const params = parsePart('path', route.params, paramsOf(event));
  const query = parsePart('query', route.query, queryOf(event));
  const sent = headersOf(route, event);
  const headers = parsePart('header', route.headers, sent);
  const { key: idempotency, ...header } = parseKey(route, event, value);
  const body = parseBody(route, value, params);
  const [placeErrors, urlErrors] = await Promise.all([
    route.searches ? checkPlaces(value) : [],
    checkUrls(urlsOf(route, value, sent)),
  ]);
  const errors = [params, query, headers, header, body]
    .flatMap((part) => part.errors)
    .concat(placeErrors, urlErrors, misplacedErrors(route, event));
  if (errors.length > 0) throw new HttpError(422, errors.slice(0, maxListedErrors));
  if (Array.isArray(body.output) && body.output.length === 0) throw new HttpError(400, emptyBatch);
  const ignored = ignoredFields(route.body, value);
  return {
    body: body.output,
    query: query.output,
    params: params.output,
    headers: headers.output,
    ...(idempotency && { idempotency }),
    ...(ignored.length > 0 && { ignored }),
  };
};
