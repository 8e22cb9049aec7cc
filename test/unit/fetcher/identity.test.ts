/** The identity of the crawler: one browser, consistent in every header, in the language of the search. */
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import {
  acceptLanguage,
  browserIdentityFor,
  chromeMajor,
  identityFor,
} from '../../../lib/fetcher/identity.ts';
import { acceptEncoding } from '../../../lib/net/content-coding.ts';

test('the version is that of the packaged Chromium', async () => {
  const manifest = JSON.parse(await readFile('node_modules/@sparticuz/chromium/package.json', 'utf8'));
  expect(String(chromeMajor)).toBe(manifest.version.split('.')[0]);
});

describe.each([
  ['desktop', '?0', '"Linux"', / \(X11; Linux x86_64\) .* Safari\/537\.36$/],
  ['mobile', '?1', '"Android"', / \(Linux; Android 10; K\) .* Mobile Safari\/537\.36$/],
] as const)('%s', (device, mobile, platform, userAgent) => {
  const identity = identityFor(device, 'de');

  test('user agent and client hints agree', () => {
    const { headers } = identity;
    expect(identity.userAgent).toMatch(userAgent);
    expect(headers['user-agent']).toBe(identity.userAgent);
    expect(headers['sec-ch-ua-mobile']).toBe(mobile);
    expect(headers['sec-ch-ua-platform']).toBe(platform);
    const [, major] = /Chrome\/(\d+)\.0\.0\.0/.exec(identity.userAgent) ?? [];
    expect(headers['sec-ch-ua']).toContain(`"Google Chrome";v="${major}"`);
    expect(headers['sec-ch-ua']).toContain(`"Chromium";v="${major}"`);
  });

  test('sends the headers of a Chrome navigation, in the order of Chrome', () => {
    expect(Object.entries(identity.headers)).toEqual([
      ['sec-ch-ua', expect.any(String)],
      ['sec-ch-ua-mobile', mobile],
      ['sec-ch-ua-platform', platform],
      ['upgrade-insecure-requests', '1'],
      ['user-agent', identity.userAgent],
      [
        'accept',
        'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8',
      ],
      ['sec-fetch-site', 'none'],
      ['sec-fetch-mode', 'navigate'],
      ['sec-fetch-user', '?1'],
      ['sec-fetch-dest', 'document'],
      ['accept-encoding', acceptEncoding],
      ['accept-language', 'de-DE,de;q=0.9,en;q=0.8'],
    ]);
  });

  test('differs between two languages in the language only', () => {
    const { headers, userAgent } = identityFor(device, 'fr');

    expect({ userAgent, headers }).toEqual({
      ...identity,
      headers: { ...identity.headers, 'accept-language': 'fr-FR,fr;q=0.9,en;q=0.8' },
    });
  });
});

test.each([
  ['', 'en-US,en;q=0.9'],
  ['en', 'en-US,en;q=0.9'],
  ['EN', 'en-US,en;q=0.9'],
  ['en-GB', 'en-GB,en;q=0.9'],
  ['de', 'de-DE,de;q=0.9,en;q=0.8'],
  ['pt-BR', 'pt-BR,pt;q=0.9,en;q=0.8'],
  ['pt_pt', 'pt-PT,pt;q=0.9,en;q=0.8'],
  ['zh-Hant', 'zh-TW,zh;q=0.9,en;q=0.8'],
  ['zh-CN', 'zh-CN,zh;q=0.9,en;q=0.8'],
  ['es-419', 'es-419,es;q=0.9,en;q=0.8'],
  ['iw', 'he-IL,he;q=0.9,en;q=0.8'],
  ['zz', 'zz,en;q=0.9'],
  ['english language', 'en-US,en;q=0.9'],
  ['de\r\nx-evil: 1', 'en-US,en;q=0.9'],
  ['日本語', 'en-US,en;q=0.9'],
])('the language %j is sent as %s', (code, header) => {
  expect(acceptLanguage(code)).toBe(header);
});

test.each([
  ['desktop', false, 'Linux', 1920],
  ['mobile', true, 'Android', 412],
] as const)('%s has the same identity in the browser', (device, mobile, platform, width) => {
  const { hints, userAgent, languages, timeZone, viewport } = browserIdentityFor(device, 'de', 'AT');

  expect(userAgent).toBe(identityFor(device, 'de').userAgent);
  expect(hints).toMatchObject({ mobile, platform });
  expect(hints.brands?.map(({ brand, version }) => `"${brand}";v="${version}"`).join(', ')).toBe(
    identityFor(device, 'de').headers['sec-ch-ua'],
  );
  expect(languages).toEqual(['de-DE', 'de', 'en']);
  expect(timeZone).toBe('Europe/Vienna');
  expect(viewport.width).toBe(width);
});
