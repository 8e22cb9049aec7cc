/**
 * Converts HTTP requests to events of a REST API's proxy integration, and answers of functions to HTTP, as
 * API Gateway does.
 */
import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as v from 'valibot';
import type { GatewayRoute } from './routes.ts';

type GatewayRequest = {
  method: string;
  /** As in the request line, not decoded. */
  path: string;
  query: URLSearchParams;
  body: Buffer;
  /** The gateway's ID of this request. */
  id: string;
  /** `Root=1-…`. */
  trace: string;
};

/**
 * Method, raw path and query of a request. Removes the origin of a target in absolute form, as every HTTP
 * server does.
 */
export const readTarget = (request: IncomingMessage): Pick<GatewayRequest, 'method' | 'path' | 'query'> => {
  const target = (request.url ?? '/').replace(/^https?:\/\/[^/?]*/i, '');
  const [path = '', ...query] = target.split('?');
  return {
    method: request.method ?? 'GET',
    path: path.startsWith('/') ? path : `/${path}`,
    query: new URLSearchParams(query.join('?')),
  };
};

const single = (values: Record<string, string[]>) =>
  Object.fromEntries(Object.entries(values).map(([name, all]) => [name, all.at(-1) ?? '']));

const orNull = <T extends object>(values: T): T | null => (Object.keys(values).length > 0 ? values : null);

const isText = (body: Buffer) => body.equals(Buffer.from(body.toString('utf8'), 'utf8'));

/** Headers that the gateway sets in the place of the client's, so that a handler can trust them. */
const ownHeaders = new Set(['x-forwarded-proto', 'x-forwarded-port', 'x-forwarded-for', 'x-amzn-trace-id']);

/** All values of each name. Grouped in a Map, because a client can send the name `__proto__`. */
const grouped = (pairs: [string, string][]): Record<string, string[]> =>
  Object.fromEntries(
    [...Map.groupBy(pairs, ([name]) => name)].map(([name, all]) => [name, all.map(([, value]) => value)]),
  );

const headersOf = (request: IncomingMessage, sourceIp: string, port: string, trace: string) => {
  const { rawHeaders, headersDistinct } = request;
  const sent = rawHeaders.flatMap((name, at): [string, string][] =>
    at % 2 === 0 && !ownHeaders.has(name.toLowerCase()) ? [[name, rawHeaders[at + 1] ?? '']] : [],
  );
  return grouped([
    ...sent,
    ['X-Amzn-Trace-Id', trace],
    ['X-Forwarded-For', [...(headersDistinct['x-forwarded-for'] ?? []), sourceIp].join(', ')],
    ['X-Forwarded-Port', port],
    ['X-Forwarded-Proto', 'http'],
  ]);
};

const noIdentity = {
  accessKey: null,
  accountId: null,
  apiKey: null,
  apiKeyId: null,
  caller: null,
  clientCert: null,
  cognitoAuthenticationProvider: null,
  cognitoAuthenticationType: null,
  cognitoIdentityId: null,
  cognitoIdentityPoolId: null,
  principalOrgId: null,
  user: null,
  userArn: null,
};

/**
 * The event for a function. A body is base64 if its media type is binary or if it is not UTF-8, and text
 * otherwise. For bytes that are not UTF-8 this differs from the real gateway, which would corrupt them.
 */
export const toEvent = (
  request: IncomingMessage,
  { method, path, query, body, id, trace }: GatewayRequest,
  route: GatewayRoute,
  gateway: { authority: string; isBinary: (contentType: string) => boolean },
): APIGatewayProxyEvent => {
  const sourceIp = (request.socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  const headers = headersOf(request, sourceIp, gateway.authority.split(':').at(-1) ?? '', trace);
  const queries = grouped([...query]);
  const isBase64Encoded =
    body.length > 0 && (gateway.isBinary(request.headers['content-type'] ?? '') || !isText(body));
  const now = new Date();

  return {
    resource: route.resourcePath,
    path,
    httpMethod: method,
    headers: single(headers),
    multiValueHeaders: headers,
    queryStringParameters: orNull(single(queries)),
    multiValueQueryStringParameters: orNull(queries),
    pathParameters: orNull(route.pathParameters),
    stageVariables: null,
    requestContext: {
      accountId: '000000000000',
      apiId: 'local',
      authorizer: null,
      domainName: gateway.authority,
      domainPrefix: 'local',
      httpMethod: method,
      identity: { ...noIdentity, sourceIp, userAgent: request.headers['user-agent'] ?? null },
      // On AWS this path includes the stage. Local URLs have no stage.
      path,
      protocol: `HTTP/${request.httpVersion}`,
      requestId: id,
      requestTime: now.toUTCString(),
      requestTimeEpoch: now.getTime(),
      resourceId: route.resourceId,
      resourcePath: route.resourcePath,
      stage: '$default',
    },
    body: body.length > 0 ? body.toString(isBase64Encoded ? 'base64' : 'utf8') : null,
    isBase64Encoded,
  };
};

const HeaderValue = v.union([v.string(), v.number(), v.boolean()]);
const ProxyAnswer = v.object({
  statusCode: v.pipe(v.number(), v.integer(), v.minValue(100), v.maxValue(599)),
  headers: v.nullish(v.record(v.string(), HeaderValue), {}),
  multiValueHeaders: v.nullish(v.record(v.string(), v.array(HeaderValue)), {}),
  body: v.nullish(v.string(), ''),
  isBase64Encoded: v.nullish(v.boolean(), false),
});

export type GatewayAnswer = { status: number; headers: [string, string[]][]; body: Buffer };

/** Lambda's limit for a response payload: the JSON text of what the handler returns. */
const payloadLimitBytes = 6_291_556;

/**
 * Whether Lambda accepts the answer. In JSON, a character of the body takes at most six bytes, so a short
 * body need not be measured: with it, half of the limit is left for the headers.
 */
const isWithinLimit = (answer: unknown, body: string): boolean =>
  body.length * 6 < payloadLimitBytes / 2 || Buffer.byteLength(JSON.stringify(answer)) <= payloadLimitBytes;

/** Headers that the server sets itself for each connection. */
const hopHeaders = new Set(['connection', 'content-length', 'transfer-encoding', 'keep-alive']);

/** The function's answer as HTTP. Null if it is not a valid answer of a proxy integration. */
export const toAnswer = (answer: unknown): GatewayAnswer | null => {
  const parsed = v.safeParse(ProxyAnswer, answer);
  if (!parsed.success) return null;
  const { statusCode, headers, multiValueHeaders, body, isBase64Encoded } = parsed.output;
  if (!isWithinLimit(answer, body)) return null;
  const merged = new Map<string, [string, string[]]>();
  for (const [name, value] of Object.entries(headers))
    merged.set(name.toLowerCase(), [name, [String(value)]]);
  for (const [name, values] of Object.entries(multiValueHeaders)) {
    merged.set(name.toLowerCase(), [name, values.map(String)]);
  }
  if (!merged.has('content-type')) merged.set('content-type', ['Content-Type', ['application/json']]);
  return {
    status: statusCode,
    headers: [...merged.values()].filter(([name]) => !hopHeaders.has(name.toLowerCase())),
    body: Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'),
  };
};
