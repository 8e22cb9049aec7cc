/** JSON for people: with line breaks if the client is curl. */
import type { APIGatewayProxyResult } from 'aws-lambda';

/** Nobody reads more. It also keeps the response, which grows by up to half, far below the 6 MB of Lambda. */
const maxBytes = 1_000_000;

const typeOf = ({ headers = {} }: APIGatewayProxyResult): string =>
  String(Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '');

/**
 * The response, with its JSON indented if the `User-Agent` is that of curl. All other clients get the
 * response as it is.
 */
export const indented = (response: APIGatewayProxyResult, userAgent: string): APIGatewayProxyResult => {
  const isShown =
    userAgent.startsWith('curl/') &&
    typeOf(response) === 'application/json' &&
    !response.isBase64Encoded &&
    response.body !== '' &&
    Buffer.byteLength(response.body) <= maxBytes;
  return isShown
    ? { ...response, body: `${JSON.stringify(JSON.parse(response.body), null, 2)}\n` }
    : response;
};
