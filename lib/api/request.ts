/** Reads what a request says out of the gateway's event (a REST API's proxy event; emulators write header names small). */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { setting } from '../runtime/env.ts';

export const headerOf = (event: APIGatewayProxyEvent, name: string): string | undefined => {
  const wanted = name.toLowerCase();
  const found = Object.entries(event.headers ?? {}).find(([key]) => key.toLowerCase() === wanted);
  return found?.[1] ?? undefined;
};

export const bodyOf = (event: APIGatewayProxyEvent): Buffer =>
  Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');

/** Query values by name. Reading 29: of a repeated name the last counts. */
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
    // Not percent-encoded after all: the value is what was sent.
    return value;
  }
};

/** Path values by name, decoded: neither the gateway nor the router does it. */
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

/** The path as the route table has it: a custom domain's base path, told by PUBLIC_URL, comes off. */
export const pathOf = (event: APIGatewayProxyEvent): string => {
  const prefix = publicPrefix();
  return prefix && event.path.startsWith(`${prefix}/`) ? event.path.slice(prefix.length) : event.path;
};

/**
 * Base of the links we make (Reading 30): PUBLIC_URL, else the gateway's own domain and stage, never the Host header. Where a
 * gateway does not say its domain (emulators), links are paths from its root: better none than one that leads astray.
 * The gateway itself sets X-Forwarded-Proto, whatever a client sends.
 */
export const baseUrlOf = (event: APIGatewayProxyEvent): string => {
  const configured = setting('PUBLIC_URL');
  if (configured) return configured.replace(/\/+$/, '');
  const { domainName, path = event.path } = event.requestContext;
  const stage = path.endsWith(event.path) ? path.slice(0, path.length - event.path.length) : '';
  return domainName ? `${headerOf(event, 'x-forwarded-proto') ?? 'https'}://${domainName}${stage}` : stage;
};
