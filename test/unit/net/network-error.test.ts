/** The description of a network error for clients. It contains no internal details. */
import { expect, test } from 'vitest';
import { RefusedAddress } from '../../../lib/net/guard.ts';
import { NetworkError, networkError } from '../../../lib/net/network-error.ts';

const withCode = (code: string) => Object.assign(new Error('10.1.2.3:443 with a secret'), { code });

test.each([
  ['ECONNREFUSED', 'unreachable: the connection was refused'],
  ['ECONNRESET', 'unreachable: the connection was reset'],
  ['CONNECTION_RESET', 'unreachable: the connection was reset'],
  ['EPIPE', 'unreachable: the connection was reset'],
  ['EHOSTUNREACH', 'unreachable: no route to the host'],
  ['ENETUNREACH', 'unreachable: no route to the host'],
  ['EAI_AGAIN', 'unreachable: the name does not resolve'],
  ['UND_ERR_ABORTED', 'unreachable: the proxy refused the connection'],
  ['UND_ERR_PRX_CONN', 'unreachable: the proxy ended the connection'],
  ['ENOTFOUND', 'unreachable: the name does not resolve'],
  ['UND_ERR_SOCKET', 'unreachable: the connection ended too early'],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'unreachable: the connection ended too early'],
  ['UND_ERR_HEADERS_OVERFLOW', 'unreachable: the headers of the answer are too large'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'unreachable: could not connect; the TLS certificate is not trusted'],
  ['CERT_HAS_EXPIRED', 'unreachable: could not connect; the TLS certificate is not trusted'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unreachable: could not connect; the TLS certificate is not trusted'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'unreachable: could not connect; the TLS certificate is not trusted'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'unreachable: could not connect; the TLS handshake failed'],
  ['EPROTO', 'unreachable: could not connect; the TLS handshake failed'],
  ['ERR_TLS_HANDSHAKE_TIMEOUT', 'unreachable: could not connect; the TLS handshake failed'],
  ['UND_ERR_CONNECT_TIMEOUT', 'timeout: could not connect in time'],
  ['ETIMEDOUT', 'timeout: could not connect in time'],
  ['UND_ERR_HEADERS_TIMEOUT', 'timeout: could not connect in time'],
  ['UND_ERR_BODY_TIMEOUT', 'timeout: could not connect in time'],
  ['ERR_ASSERTION', 'unreachable: the answer is not HTTP'],
  ['UND_ERR_NO_CERT_', 'unreachable: the request failed (UND_ERR_NO_CERT_)'],
  ['ESOMETHING', 'unreachable: the request failed (ESOMETHING)'],
])('describes %s without the details in the error', (code, reason) => {
  expect(networkError(withCode(code))).toBe(reason);
});

test('describes an answer that is not HTTP, whose error has no code', () => {
  const error = Object.assign(new Error('Expected HTTP/'), { name: 'HTTPParserError', code: undefined });
  expect(networkError(error)).toBe('unreachable: the answer is not HTTP');
});

test('keeps the messages of our own errors', () => {
  expect(networkError(new NetworkError('the page is too large'))).toBe('unreachable: the page is too large');
  expect(new NetworkError('x').name).toBe('NetworkError');
  expect(networkError(new RefusedAddress('address is private'))).toBe('unreachable: address is private');
});

test.each([
  [new TypeError('a bug of ours')],
  [withCode('UND_ERR_INVALID_ARG')],
  [Object.assign(new Error('a number'), { code: 5 })],
  [{ code: 'ECONNRESET' }],
  ['a string'],
  [undefined],
])('rethrows what is not a network error: %s', (error) => {
  let thrown: unknown = 'nothing';
  try {
    networkError(error);
  } catch (caught) {
    thrown = caught;
  }
  expect(thrown).toBe(error);
});
