/** Compresses responses for clients that accept gzip. */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { acceptsGzip } from '../model/content-coding.ts';

/** Smaller bodies fit into one packet anyway. */
const minBytes = 1024;

/**
 * The response, compressed with gzip if its body is larger than 1 KB and the client accepts it. The gateway
 * decodes the base64 of a body that is binary.
 */
export const compressed = async (
  response: APIGatewayProxyResult,
  acceptEncoding: string,
): Promise<APIGatewayProxyResult> => {
  const body = Buffer.from(response.body, response.isBase64Encoded ? 'base64' : 'utf8');
  if (body.byteLength <= minBytes) return response;
  // A cache must not give the compressed body to a client that cannot read it.
  const headers = { ...response.headers, Vary: 'Accept-Encoding' };
  const isCoded = Object.keys(headers).some((name) => name.toLowerCase() === 'content-encoding');
  if (isCoded || !acceptsGzip(acceptEncoding)) return { ...response, headers };
  return {
    ...response,
    headers: { ...headers, 'Content-Encoding': 'gzip' },
    body: (await promisify(gzip)(body)).toString('base64'),
    isBase64Encoded: true,
  };
};
