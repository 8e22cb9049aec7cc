/**
 * Reads a request from the gateway's event: the proxy event of a REST API. Emulators write header names in
 * lower case.
 */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { setting } from '../runtime/env.ts';

export const headerOf = (event: APIGatewayProxyEvent, name: string): string | undefined => {
  const wanted = name.toLowerCase();
  const found = Object.entries(event.headers ?? {}).find(([key]) => key.toLowerCase() === wanted);
  return found?.[1] ?? undefined;
};

export const bodyOf = (event: APIGatewayProxyEvent): Buffer =>
  Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');

/** Query values by name. Reading 29: if a name is repeated, its last value counts. */
export const queryOf = (event: APIGatewayProxyEvent): Record<string, string> => {
  const repeated = Object.entries(event.multiValueQueryStringParameters ?? {});
  return Object.fromEntries(
    [
      ...Object.entries(event.queryStringParameters ?? {}),
      ...repeated.map(([name, values]) => [name, values?.at(-1)] as const),
    ].flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
};

const decode = (value: string): string => {
  try {
    return decodeURIComponent(value);
  } catch {
    // Not valid percent-encoding: use the value as it was sent.
    return value;
  }
};

/** Path values by name, decoded. Neither the gateway nor the router decodes them. */
export const paramsOf = (event: APIGatewayProxyEvent): Record<string, string> =>
  Object.fromEntries(
    Object.entries(event.pathParameters ?? {}).map(([name, value]) => [name, decode(value ?? '')]),
  );

export const addressOf = (event: APIGatewayProxyEvent): string =>
  event.requestContext.identity?.sourceIp ?? 'unknown';

const publicPrefix = (): string => {
  const url = setting('PUBLIC_URL');
  return url ? new URL(url).pathname.replace(/\/$/, '') : '';
};

/** The path as in the route table: without the base path of a custom domain, which PUBLIC_URL contains. */
export const pathOf = (event: APIGatewayProxyEvent): string => {
  const prefix = publicPrefix();
  return prefix && event.path.startsWith(`${prefix}/`) ? event.path.slice(prefix.length) : event.path;
};

/**
 * Base URL of generated links (Reading 30): PUBLIC_URL, otherwise the gateway's own domain and stage, never
 * the Host header. If the gateway does not report its domain (emulators), links are absolute paths, because a
 * guessed domain could be wrong. The gateway always overwrites X-Forwarded-Proto, so a client cannot set it.
 */
export const baseUrlOf = (event: APIGatewayProxyEvent): string => {
  const configured = setting('PUBLIC_URL');
  if (configured) return configured.replace(/\/+$/, '');
  const { domainName, path = event.path } = event.requestContext;
  const stage = path.endsWith(event.path) ? path.slice(0, path.length - event.path.length) : '';
  return domainName ? `${headerOf(event, 'x-forwarded-proto') ?? 'https'}://${domainName}${stage}` : stage;
};
