/** The settings of the fetchers, and the proxies that they name. */
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import {
  defaultFetcherSettings,
  FetcherSettings,
  KnownFetcherSettings,
  proxiesIn,
} from '../../../lib/model/fetchers.ts';

const parse = (settings: unknown) => v.safeParse(FetcherSettings, JSON.stringify(settings));

test('the settings of a new stack choose nothing', () => {
  expect(v.parse(FetcherSettings, defaultFetcherSettings)).toEqual({});
});

test('an engine may have an order, a rate and proxies', () => {
  const settings = {
    google: { order: ['browser', 'http'], rate: 0.5, proxies: { browser: 'homes', http: 'none' } },
    bing: {},
  };

  expect(parse(settings)).toMatchObject({ success: true, output: settings });
});

test('an engine of a later version is ignored', () => {
  expect(parse({ altavista: { rate: 1 } }).success).toBe(true);
});

test.each([
  [{ google: { order: [] } }, 'An order must name a fetcher'],
  [{ google: { order: ['http', 'http'] } }, 'An order must not name a fetcher twice'],
  [{ google: { order: ['carrier'] } }, 'A fetcher must be http, browser, upstream or sandbox'],
  [{ google: { rate: -1 } }, 'A rate must be a number of pages per second, 0 or more'],
  [{ google: { rate: '2' } }, 'Invalid type: Expected number but received "2"'],
  [{ google: { speed: 1 } }, 'Invalid key: Expected never but received "speed"'],
  [{ google: { proxies: { sandbox: 'homes' } } }, 'Invalid key: Expected never but received "sandbox"'],
  [{ google: { proxies: { http: 'http://user:word@proxy.example' } } }, /^The name of a proxy must have/],
  [{ google: { proxies: { http: 'x'.repeat(5000) } } }, 'The settings must have at most 4096 characters'],
])('refuses %j', (settings, message) => {
  const { issues } = parse(settings);

  expect(issues?.map((issue) => issue.message)[0]).toMatch(message);
});

test('refuses a text that is no JSON', () => {
  expect(v.safeParse(FetcherSettings, '{').issues?.[0].message).toBe('The settings must be JSON');
});

describe('the proxies in PROXY_URL', () => {
  test.each([
    ['http://proxy.example', { default: 'http://proxy.example' }],
    [
      '{"default":"http://a.example","homes":"http://b.example"}',
      {
        default: 'http://a.example',
        homes: 'http://b.example',
      },
    ],
    ['{"Homes":"http://b.example"}', undefined],
    ['{"homes":1}', undefined],
    ['{', undefined],
  ])('%s', (text, proxies) => {
    expect(proxiesIn(text)).toEqual(proxies);
  });
});

test('functions read what a later release has set, without what they do not know', () => {
  const read = (settings: object) => v.parse(KnownFetcherSettings, JSON.stringify(settings));

  expect(
    read({
      google: {
        order: ['newest', 'browser', 'http'],
        rate: 2,
        later: 1,
        proxies: { newest: 'a', http: 'b' },
      },
      bing: { order: ['newest'] },
      newest: { order: ['http'] },
    }),
  ).toEqual({
    google: { order: ['browser', 'http'], rate: 2, proxies: { http: 'b' } },
    bing: { order: undefined },
    newest: { order: ['http'] },
  });
  // What the command refuses is malformed here, too.
  expect(() => read({ google: { rate: -1 } })).toThrow('A rate must be');
});
