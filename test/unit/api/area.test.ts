/** The entry of an area logs slow requests, and prefers the path that has fixed text. */
import * as v from 'valibot';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { area } from '../../../lib/api/area.ts';
import { openEndpoint } from '../../../lib/api/open-endpoint.ts';
import type { Route } from '../../../lib/api/route.ts';
import { HttpError } from '../../../lib/model/http-error.ts';
import { addToScope } from '../../../lib/runtime/scope.ts';
import { callArea } from '../../api-call.ts';

const written: string[] = [];
beforeEach(() => {
  written.length = 0;
  vi.useFakeTimers({ toFake: ['performance'] });
  vi.spyOn(process.stdout, 'write').mockImplementation((line) => written.push(String(line)) > 0);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const route = {
  method: 'GET',
  path: '/thing',
  auth: 'none',
  summary: '',
  reply: v.object({}),
  returns: '',
} as const satisfies Route;

/** Sends a request that takes so long, and returns the metrics of the lines about it. */
const slowRequests = async (milliseconds: number, act: () => void = () => {}): Promise<unknown[]> => {
  const handler = area([
    openEndpoint(route, () => {
      vi.advanceTimersByTime(milliseconds);
      act();
      return {};
    }),
  ]);
  await callArea(handler, { method: 'GET', path: '/thing' });
  return written.map((line) => JSON.parse(line).SlowRequests).filter((count) => count !== undefined);
};

test('a request of three seconds is slow', async () => {
  expect(await slowRequests(2999)).toEqual([]);
  expect(await slowRequests(3000)).toEqual([1]);
});

test('a slow request that fails is logged, too', async () => {
  const fail = () => {
    throw new HttpError(404, 'Not found');
  };

  expect(await slowRequests(3000, fail)).toEqual([1]);
});

test('a request that waits for a task is not slow', async () => {
  expect(await slowRequests(25_000, () => addToScope({ waits: true }))).toEqual([]);
});

const at = (method: 'GET' | 'POST' | 'DELETE', path: `/${string}`) =>
  openEndpoint({ ...route, method, path }, () => ({}));

const paths = area([
  at('GET', '/lists/{list_id}/things/{thing_id}'),
  at('DELETE', '/lists/{list_id}/things/{thing_id}'),
  at('POST', '/lists/{list_id}/things/delete'),
  at('POST', '/lists/{name}/{rest}/delete'),
]);

test.each([
  ['GET', '/lists/1/things/2', 200, undefined],
  ['POST', '/lists/1/things/2', 405, 'GET, HEAD, DELETE'],
  ['POST', '/lists/1/things/delete', 200, undefined],
  ['GET', '/lists/1/things/delete', 405, 'POST'],
  ['HEAD', '/lists/1/things/delete/', 405, 'POST'],
  ['GET', '/lists/1/other/delete', 405, 'POST'],
  ['GET', '/lists/1/things', 404, undefined],
])('%s %s gives %d, and its path takes %s', async (method, path, status, allowed) => {
  const answer = await callArea(paths, { method, path });

  expect([answer.status, answer.headers.allow]).toEqual([status, allowed]);
});
