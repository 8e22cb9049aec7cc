/** A deprecated operation says so in every response and in the OpenAPI document (RFC 9745, RFC 8594). */
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { area } from '../../../lib/api/area.ts';
import { openEndpoint } from '../../../lib/api/open-endpoint.ts';
import type { Route } from '../../../lib/api/route.ts';
import { HttpError } from '../../../lib/model/http-error.ts';
import { describeOperation } from '../../../lib/reference/operations.ts';
import { Components } from '../../../lib/reference/schemas.ts';
import { callArea } from '../../api-call.ts';

const old = {
  method: 'GET',
  path: '/old/{word}',
  auth: 'none',
  summary: 'Read a word',
  params: v.object({ word: v.pipe(v.string(), v.maxLength(5)) }),
  reply: v.object({ word: v.string() }),
  returns: 'The word',
  deprecated: '2027-01-31',
  sunset: '2027-07-31',
} as const satisfies Route;

const { deprecated: _since, sunset: _until, ...current } = old;

const answer = ({ params: { word } }: { params: { word: string } }) => {
  if (word === 'none') throw new HttpError(404, 'Not Found');
  return { word };
};
const handler = area([
  openEndpoint(old, answer),
  openEndpoint({ ...old, path: '/kept/{word}', cacheSeconds: 60 }, answer),
]);
const get = (path: string, headers = {}) => callArea(handler, { method: 'GET', path, headers });

const told = { deprecation: '@1801353600', sunset: 'Sat, 31 Jul 2027 00:00:00 GMT' };

describe('a deprecated operation', () => {
  test.each([
    ['a success', '/old/word', 200],
    ['an error of the operation', '/old/none', 404],
    ['an error of the input', '/old/too-long', 422],
    ['a response that may be kept', '/kept/word', 200],
  ])('has both dates in %s', async (_, path, status) => {
    expect(await get(path)).toMatchObject({ status, headers: told });
  });

  test('has both dates in 304', async () => {
    const { headers } = await get('/kept/word');

    expect(await get('/kept/word', { 'If-None-Match': headers.etag })).toMatchObject({
      status: 304,
      headers: told,
    });
  });

  test('is marked in the OpenAPI document, with its headers', () => {
    const described = describeOperation('site/read-root', old, new Components());

    expect(described).toMatchObject({
      deprecated: true,
      responses: { 200: { headers: { Deprecation: { required: true }, Sunset: { required: true } } } },
    });
  });
});

test('an operation in use says nothing of it', async () => {
  const { headers } = await callArea(area([openEndpoint(current, answer)]), {
    method: 'GET',
    path: '/old/word',
  });

  expect(headers).not.toHaveProperty('deprecation');
  expect(describeOperation('site/read-root', current, new Components())).not.toHaveProperty('deprecated');
});
