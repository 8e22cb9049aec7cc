/** Where the links of an open page redirect to. */
import type { Page } from 'puppeteer-core';
import { afterEach, expect, test, vi } from 'vitest';
import { openAsker } from '../../../lib/net/ask-in-page.ts';
import { fakeSession } from './session.ts';

const link = 'https://engine.example/goto?url=CAES';

afterEach(() => {
  vi.useRealTimers();
});

const open = async (answers = {}) => {
  const fake = fakeSession({
    'Page.createIsolatedWorld': { executionContextId: 5 },
    // The request of a script ends when its answer is refused, which these tests do not wait for.
    'Runtime.evaluate': () => new Promise(() => undefined),
    ...answers,
  });
  const ask = await openAsker({ createCDPSession: async () => fake.session } as unknown as Page);
  const pause = (status: number | undefined, headers?: { name: string; value: string }[], url = link) =>
    fake.emit('Fetch.requestPaused', {
      requestId: 'r1',
      request: { url },
      ...(status !== undefined && { responseStatusCode: status }),
      ...(headers && { responseHeaders: headers }),
    });
  return { ...fake, ask, pause };
};

const to = (value: string) => [
  { name: 'x-a', value: '1' },
  { name: 'Location', value },
];

test('a link is requested in a world of its own, and its redirect is not followed', async () => {
  const { ask, pause, sent } = await open();
  const asked = ask(link);
  await pause(302, to('https://example.com/a'));

  expect(await asked).toBe('https://example.com/a');
  expect(sent('Fetch.enable')).toEqual([{ patterns: [{ urlPattern: '*', requestStage: 'Response' }] }]);
  expect(sent('Page.createIsolatedWorld')).toEqual([{ frameId: 'main' }]);
  expect(sent('Runtime.evaluate')).toEqual([
    {
      expression: `fetch("${link}", { redirect: 'manual' }).then(() => null, () => null)`,
      contextId: 5,
      awaitPromise: true,
    },
  ]);
  expect(sent('Fetch.failRequest')).toEqual([{ requestId: 'r1', errorReason: 'Aborted' }]);
  expect(sent('Fetch.continueResponse')).toEqual([]);
});

test.each<[number | undefined, string | null, string | null]>([
  [301, 'HTTPS://Example.com/Path', 'HTTPS://Example.com/Path'],
  [301, 'HTTP://Example.com/Path', 'HTTP://Example.com/Path'],
  [302, '/sorry?x=1', 'https://engine.example/sorry?x=1'],
  [302, '/go?u=https://x.example', 'https://engine.example/go?u=https://x.example'],
  [302, 'https://', 'https://'],
  [302, '//[', null],
  [302, null, null],
  [200, 'https://example.com/', null],
  [undefined, 'https://example.com/', null],
])('an answer %s with the location %j gives %j', async (status, location, expected) => {
  const { ask, pause } = await open();
  const asked = ask(link);
  await pause(status, location === null ? undefined : to(location));

  expect(await asked).toBe(expected);
});

test('an answer without a location ends the request of its link', async () => {
  const { ask, pause, sent } = await open();
  const asked = ask(link);
  await pause(302, [{ name: 'x-a', value: '1' }]);

  expect(await asked).toBeNull();
  expect(sent('Fetch.failRequest')).toHaveLength(1);
});

test('other requests of the page go on, also those to a link that was answered', async () => {
  const { ask, pause, sent } = await open();
  const asked = ask(link);
  await pause(302, to('https://example.com/'), 'https://engine.example/other');
  expect(sent('Fetch.continueResponse')).toEqual([{ requestId: 'r1' }]);
  await pause(302, to('https://example.com/'));
  await asked;

  await pause(302, to('https://example.com/'));
  expect(sent('Fetch.continueResponse')).toHaveLength(2);
});

const gone = () => {
  throw new Error('Target closed');
};

test.each([
  ['fails', gone],
  ['ends without an answer', {}],
])('a link whose request %s gives null at once', async (_, evaluate) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { ask } = await open({ 'Runtime.evaluate': evaluate });
  const later = async () => {
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
    return 'later';
  };

  expect(await Promise.race([ask(link), later()])).toBeNull();
});

test('a link that does not answer within 5 s gives null', async () => {
  vi.useFakeTimers();
  const { ask } = await open();
  let isDone = false;
  const asked = ask(link).finally(() => {
    isDone = true;
  });
  await vi.advanceTimersByTimeAsync(4999);
  expect(isDone).toBe(false);
  await vi.advanceTimersByTimeAsync(1);

  expect(await asked).toBeNull();
  expect(vi.getTimerCount()).toBe(0);
});

test('an answered link leaves no timer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { ask, pause } = await open();
  const asked = ask(link);
  await pause(302, to('https://example.com/'));
  await asked;

  expect(vi.getTimerCount()).toBe(0);
});

test('a command that comes too late is not an error', async () => {
  const { pause, sent } = await open({
    'Fetch.continueResponse': () => {
      throw new Error('Invalid InterceptionId');
    },
  });
  await pause(200);

  expect(sent('Fetch.continueResponse')).toHaveLength(1);
});
