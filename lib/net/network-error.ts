/** What went wrong on the wire, in a stable word and a sentence fit for clients: no addresses, no credentials. */

const sentences: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was reset',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the host',
  ENOTFOUND: 'the name does not resolve',
  EAI_AGAIN: 'the name does not resolve',
  UND_ERR_SOCKET: 'the connection ended too early',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the connection ended too early',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the answer are too large',
  UND_ERR_ABORTED: 'the proxy refused the connection',
  UND_ERR_PRX_CONN: 'the proxy ended the connection',
};

const timeouts = ['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'];

/** OpenSSL's words for a certificate that does not hold, and Node's. */
const isTlsFault = (code: string): boolean =>
  /^(ERR_TLS|ERR_SSL|EPROTO|CERT_|UNABLE_TO_)|SELF_SIGNED/.test(code);

/** A fault that we found ourselves; its message is the sentence. */
export class NetworkError extends Error {
  override name = 'NetworkError';
  readonly code = 'NETWORK_ERROR';
}

const ownWords = ['NETWORK_ERROR', 'REFUSED_ADDRESS'];

const sentenceOf = (code: string, message: string): string => {
  if (ownWords.includes(code)) return message;
  if (isTlsFault(code)) return 'no trusted TLS connection came about';
  return sentences[code] ?? `the request failed (${code})`;
};

// undici's own error for this carries no code.
const isNotHttp = (error: Error): boolean => error.name === 'HTTPParserError';

/** A reason such as `unreachable: the connection was reset`. What has no code is no fault of the wire, and is thrown on. */
export const networkError = (error: unknown): string => {
  if (error instanceof Error && isNotHttp(error)) return 'unreachable: the answer is not HTTP';
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') throw error;
  if (error.code === 'UND_ERR_INVALID_ARG') throw error;
  return timeouts.includes(error.code)
    ? 'timeout: no connection came about in time'
    : `unreachable: ${sentenceOf(error.code, error.message)}`;
};
