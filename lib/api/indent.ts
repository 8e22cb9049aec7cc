/** JSON for people: with line breaks if the client is curl, and no shared cache keeps the response. */
import type { APIGatewayProxyResult } from 'aws-lambda';

/** Nobody reads more. It also keeps the response, which grows by up to half, far below the 6 MB of Lambda. */
const maxBytes = 1_000_000;

const headerIn = ({ headers = {} }: APIGatewayProxyResult, wanted: string): string =>
  String(Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1] ?? '');

/** Shared caches give the response to every client, so it is the same for all of them. */
const isShared = (response: APIGatewayProxyResult): boolean =>
  headerIn(response, 'cache-control').startsWith('public');

/**
 * The response, with its JSON indented if the `User-Agent` is that of curl. All other clients get the
 * response as it is.
 */
export const indented = (response: APIGatewayProxyResult, userAgent: string): APIGatewayProxyResult => {
  const isShown =
    userAgent.startsWith('curl/') &&
    headerIn(response, 'content-type') === 'application/json' &&
    !response.isBase64Encoded &&
    !isShared(response) &&
    response.body !== '' &&
    Buffer.byteLength(response.body) <= maxBytes;
  return isShown
    ? { ...response, body: `${JSON.stringify(JSON.parse(response.body), null, 2)}\n` }
    : response;
};
