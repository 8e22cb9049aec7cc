/**
 * Describes network errors for clients, in a stable word and a sentence, without addresses or credentials.
 */

/** The code that `way-out.ts` gives to a reset, because the client library takes some resets for an end. */
export const resetCode = 'CONNECTION_RESET';

const sentences: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  [resetCode]: 'the connection was reset',
  EPIPE: 'the connection was reset',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the host',
  ENOTFOUND: 'the name does not resolve',
  EAI_AGAIN: 'the name does not resolve',
  UND_ERR_SOCKET: 'the connection ended too early',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the connection ended too early',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the answer are too large',
  // The client library asserts that a status is at least 100.
  ERR_ASSERTION: 'the answer is not HTTP',
  UND_ERR_ABORTED: 'the proxy refused the connection',
  UND_ERR_PRX_CONN: 'the proxy ended the connection',
};

const timeoutCodes = [
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
];

/** Codes of OpenSSL and Node for a certificate that is not trusted. */
const isUntrusted = (code: string): boolean => /^(ERR_TLS_CERT|CERT_|UNABLE_TO_)|SELF_SIGNED/.test(code);

/** Their codes for another failure of the handshake, such as a server without TLS. */
const isHandshakeError = (code: string): boolean => /^(ERR_TLS|ERR_SSL|EPROTO)/.test(code);

/** A failure that this service detects itself. Its message is the sentence for clients. */
export class NetworkError extends Error {
  override name = 'NetworkError';
  readonly code = 'NETWORK_ERROR';
}

const ownCodes = ['NETWORK_ERROR', 'REFUSED_ADDRESS'];

/** The client library says only in its message which status the proxy has answered with. */
const isUnauthorizedAtProxy = (code: string, message: string): boolean =>
  code === 'UND_ERR_ABORTED' && message.includes('(407)');

const sentenceOf = (code: string, message: string): string => {
  if (ownCodes.includes(code)) return message;
  if (isUnauthorizedAtProxy(code, message)) return 'the proxy refused the credentials';
  if (isUntrusted(code)) return 'could not connect; the TLS certificate is not trusted';
  if (isHandshakeError(code)) return 'could not connect; the TLS handshake failed';
  return sentences[code] ?? `the request failed (${code})`;
};

// This error of undici has no code.
const isNotHttp = (error: Error): boolean => error.name === 'HTTPParserError';

/**
 * Returns a reason such as `unreachable: the connection was reset`. Rethrows an error that is not a network
 * error.
 */
export const networkError = (error: unknown): string => {
  if (error instanceof Error && isNotHttp(error)) return 'unreachable: the answer is not HTTP';
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') throw error;
  if (error.code === 'UND_ERR_INVALID_ARG') throw error;
  return timeoutCodes.includes(error.code)
    ? 'timeout: could not connect in time'
    : `unreachable: ${sentenceOf(error.code, error.message)}`;
};
