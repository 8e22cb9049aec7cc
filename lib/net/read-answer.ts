/** Reads the body of an answer over HTTP: complete, limited in bytes, and without its codings. */
import type { Dispatcher } from 'undici';
import { unpackBody } from './content-coding.ts';
import { NetworkError } from './network-error.ts';
import { headerValues } from './way-out.ts';

type Answer = Pick<Dispatcher.ResponseData, 'headers' | 'body'>;

/** The headers of an answer, each with all its values. Their names are in small letters. */
export const flatten = (headers: Answer['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, headerValues(value).join(', ')]));

/**
 * The transfer codings that the client library undoes, as it compares them. It gives the body of any other
 * one as it was sent, with the sizes of chunks in the middle of the text, and up to wherever the connection
 * ends.
 */
const knownTransferCoding = /^[ \t]*(chunked|identity)[ \t]*$/i;

const refuseTransferCoding = (headers: Answer['headers']): void => {
  const values = headerValues(headers['transfer-encoding']);
  if (values.length > 0 && !knownTransferCoding.test(values.join())) {
    throw new NetworkError('the answer is sent in an unknown way');
  }
};

const readBody = async (body: Answer['body'], maxBytes: number): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new NetworkError('the page is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

/**
 * Reads and decompresses a body. `maxBytes` limits both forms. @throws NetworkError if the body is too large,
 * truncated or broken, or if one of its codings is unknown.
 */
export const readAnswer = async ({ headers, body }: Answer, maxBytes: number): Promise<Uint8Array> => {
  refuseTransferCoding(headers);
  const packed = await readBody(body, maxBytes);
  return unpackBody(packed, headerValues(headers['content-encoding']).join(', '), maxBytes);
};
