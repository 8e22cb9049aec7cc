/** The parts of a request in the gateway's event (Readings 29 and 30). */
import { afterEach, expect, test } from 'vitest';
import { baseUrlOf, bodyOf, headerOf, paramsOf, pathOf, queryOf } from '../../../lib/api/request.ts';
import { proxyEvent } from '../../api-call.ts';

const get = (path: string) => proxyEvent({ method: 'GET', path });

afterEach(() => {
  delete process.env.PUBLIC_URL;
});

test('the last value of a repeated query parameter counts', () => {
  expect(queryOf(get('/x?a=1&b=&a=2&__proto__=3'))).toEqual(
    Object.fromEntries([
      ['a', '2'],
      ['b', ''],
      ['__proto__', '3'],
    ]),
  );
});

test('an event without multi-value parameters has its query', () => {
  expect(queryOf({ ...get('/x?a=1'), multiValueQueryStringParameters: null })).toEqual({ a: '1' });
});

test.each([
  ['a%20b', 'a b'],
  ['%C3%A9', 'é'],
  ['%00', '\0'],
  ['+1', '+1'],
  ['%zz', '%zz'],
  ['%ff', '%ff'],
])('a path value %s is %j', (sent, value) => {
  expect(paramsOf({ ...get('/'), pathParameters: { id: sent } })).toEqual({ id: value });
});

test('a header name is not case-sensitive', () => {
  const event = { ...get('/'), headers: { 'CONTENT-type': 'text/plain' } };

  expect(headerOf(event, 'Content-Type')).toBe('text/plain');
  expect(headerOf(event, 'content')).toBeUndefined();
});

test('a body is bytes, sent as text or in base64', () => {
  expect(bodyOf({ ...get('/'), body: 'é', isBase64Encoded: false })).toEqual(Buffer.from('é'));
  expect(bodyOf({ ...get('/'), body: '/w==', isBase64Encoded: true })).toEqual(Buffer.from([255]));
  expect(bodyOf(get('/'))).toHaveLength(0);
});

test.each([
  ['https://example.com', '/v/x', '/v/x'],
  ['https://example.com/v', '/v/x', '/x'],
  ['https://example.com/v/', '/v/x', '/x'],
  ['https://example.com/v', '/value', '/value'],
  ['', '/v/x', '/v/x'],
])('with PUBLIC_URL `%s`, %s is %s', (url, path, expected) => {
  process.env.PUBLIC_URL = url;

  expect(pathOf(get(path))).toBe(expected);
});

test('links use the domain of the gateway when PUBLIC_URL is not set', () => {
  const event = proxyEvent({
    method: 'GET',
    path: '/docs',
    stage: '/dev',
    headers: { Host: 'evil.example' },
  });

  expect(baseUrlOf(event)).toBe('https://api.example.com/dev');
  process.env.PUBLIC_URL = 'https://search.example.com/';
  expect(baseUrlOf(event)).toBe('https://search.example.com');
});

test('links are paths when the event has no domain', () => {
  const event = proxyEvent({ method: 'GET', path: '/docs', stage: '/dev' });
  event.requestContext.domainName = undefined;

  expect(baseUrlOf(event)).toBe('/dev');
});
