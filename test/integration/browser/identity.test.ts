/**
 * What a page can learn about its browser: headers, scripts and clock are consistent for each device and
 * country.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { afterAll, describe, expect, test } from 'vitest';
import { browserIdentityFor, identityFor } from '../../../lib/fetcher/identity.ts';
import type { Position } from '../../../lib/model/place.ts';
import { closeBrowsers } from '../../../lib/net/browser.ts';
import { serve } from '../net/loopback.ts';
import { html, render } from './render.ts';

afterAll(closeBrowsers);

/** Collects everything that engines collect, in the page and in a worker. */
const collectingScript = `
  const ask = async () => ({
    userAgent: navigator.userAgent,
    platform: navigator.platform,
    language: navigator.language,
    languages: navigator.languages,
    hints: await navigator.userAgentData.getHighEntropyValues(
      ['platform', 'platformVersion', 'architecture', 'bitness', 'model', 'fullVersionList', 'formFactors']),
    locale: Intl.DateTimeFormat().resolvedOptions().locale,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    offset: new Date(Date.UTC(2026, 0, 15)).getTimezoneOffset(),
  });
  const inWorker = () => new Promise((resolve) => {
    const source = 'const ask = ' + ask + '; ask().then((a) => postMessage(a))';
    new Worker(URL.createObjectURL(new Blob([source]))).onmessage = (event) => resolve(event.data);
  });
  (async () => {
    const answers = {
      ...(await ask()),
      worker: await inWorker(),
      inner: [innerWidth, innerHeight],
      screen: [screen.width, screen.height, devicePixelRatio],
      touch: navigator.maxTouchPoints,
      coarse: matchMedia('(pointer: coarse)').matches,
      hover: matchMedia('(hover: hover)').matches,
      orientation: screen.orientation.type,
      subframe: document.querySelector('iframe').contentWindow.navigator.userAgent,
    };
    const pre = document.body.appendChild(document.createElement('pre'));
    pre.textContent = btoa(JSON.stringify(answers));
    pre.id = 'done';
  })();`;

const collect = async (device: 'desktop' | 'mobile', language: string, country: string) => {
  const requests: IncomingHttpHeaders[] = [];
  const origin = await serve((request, response) => {
    requests.push(request.headers);
    response.setHeader('content-type', 'text/html');
    response.end(
      html(
        `<meta name="viewport" content="width=device-width"><iframe></iframe><script>${collectingScript}</script>`,
      ),
    );
  });
  const page = await render(`${origin}/`, { identity: browserIdentityFor(device, language, country) });
  const text = page.ok ? /<pre id="done">(.*)<\/pre>/.exec(page.body)?.[1] : undefined;
  if (!text) throw new Error(`no answers: ${JSON.stringify(page)}`);
  return { headers: requests[0] ?? {}, collected: JSON.parse(atob(text)) };
};

const positionScript = `
  const ask = () => new Promise((resolve) => navigator.geolocation.getCurrentPosition(
    ({ coords: { latitude, longitude } }) => resolve([latitude, longitude]), ({ code }) => resolve(code)));
  (async () => {
    const { state } = await navigator.permissions.query({ name: 'geolocation' });
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    const position = state === 'granted' ? await ask() : null;
    const pre = document.body.appendChild(document.createElement('pre'));
    pre.textContent = JSON.stringify({ state, position, timeZone });
    pre.id = 'done';
  })();`;

const positionSeen = async (position?: Position) => {
  const origin = await serve((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(html(`<script>${positionScript}</script>`));
  });
  const page = await render(`${origin}/`, { identity: browserIdentityFor('mobile', 'en', 'US', position) });
  const text = page.ok ? /<pre id="done">(.*)<\/pre>/.exec(page.body)?.[1] : undefined;
  if (!text) throw new Error(`no answers: ${JSON.stringify(page)}`);
  return JSON.parse(text);
};

test('a page is told the position of the search, and the page after it in the same browser is not', async () => {
  expect(await positionSeen({ latitude: 39.74, longitude: -104.98, timeZone: 'America/Denver' })).toEqual({
    state: 'granted',
    position: [39.74, -104.98],
    timeZone: 'America/Denver',
  });
  expect(await positionSeen()).toMatchObject({ state: 'prompt', timeZone: 'America/New_York' });
});

describe.each([
  ['desktop', 'en', 'US', 'en-US', 'America/New_York', 300],
  ['mobile', 'de', 'DE', 'de-DE', 'Europe/Berlin', -60],
  ['desktop', 'ja', 'JP', 'ja-JP', 'Asia/Tokyo', -540],
  ['mobile', 'pt-BR', 'br', 'pt-BR', 'America/Sao_Paulo', 180],
  ['desktop', 'en-GB', 'UK', 'en-GB', 'Europe/London', 0],
] as const)('%s, %s in %s', (device, language, country, locale, timeZone, offset) => {
  test('has the same identity in headers, scripts and workers', async () => {
    const { headers, collected } = await collect(device, language, country);
    const { worker, ...page } = collected;
    const overHttp = identityFor(device, language).headers;

    for (const name of [
      'user-agent',
      'accept-language',
      'sec-ch-ua',
      'sec-ch-ua-mobile',
      'sec-ch-ua-platform',
    ]) {
      expect([name, headers[name]]).toEqual([name, overHttp[name]]);
    }
    const { viewport, platform, hints, languages } = browserIdentityFor(device, language, country);
    const isMobile = device === 'mobile';
    const expected = {
      userAgent: overHttp['user-agent'],
      platform,
      language: locale,
      languages,
      hints: expect.objectContaining({
        mobile: isMobile,
        platform: hints.platform,
        model: hints.model,
        brands: hints.brands,
        fullVersionList: hints.fullVersionList,
      }),
      locale,
      timeZone,
      offset,
    };
    expect(page).toMatchObject({
      ...expected,
      inner: [viewport.width, viewport.height],
      screen: [viewport.width, viewport.height, viewport.deviceScaleFactor],
      touch: isMobile ? 5 : 0,
      coarse: isMobile,
      hover: !isMobile,
      orientation: isMobile ? 'portrait-primary' : 'landscape-primary',
      subframe: expected.userAgent,
    });
    expect(worker).toMatchObject(expected);
  });
});
