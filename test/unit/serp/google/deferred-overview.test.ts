/**
 * AI overviews whose text the page's own script loads: where the page says it is, and which answers become a
 * part of the page.
 */
import { describe, expect, test } from 'vitest';
import type { Device } from '../../../../lib/model/crawl-request.ts';
import { answerRequest } from '../../../../lib/sandbox/google/engine.ts';
import { readers } from '../../../../lib/serp/reader.ts';

const origin = 'https://www.google.com';
const fetchPage = (path: string, device: Device = 'desktop') =>
  answerRequest({ url: `${origin}${path}`, device, now: 1_790_000_000 }).body;

const search = '/search?q=summarize+lamps&gl=us&start=0';
const body = fetchPage(search);

const open = (html: string, device: Device = 'desktop') => {
  const page = readers.google.open(html);
  const parsed = page.read(device);
  return { parsed, deferred: page.deferred?.(parsed, device) };
};
const overviewOf = (html: string) => open(html).parsed.left.find(({ type }) => type === 'ai_overview');

const good = fetchPage(open(body).deferred?.path ?? '');

describe('the address of the text', () => {
  test.each<Device>(['desktop', 'mobile'])('is in a script of the page on %s', (device) => {
    const { deferred } = open(fetchPage(search, device), device);

    expect(deferred?.path).toMatch(/^\/async\/folsrch\?/);
    const { searchParams } = new URL(deferred?.path ?? '', origin);
    expect(searchParams.get('async')).toBe('_fmt:adl,_id:B2Jtyd');
    expect(searchParams.get('q')).toBe('summarize lamps');
  });

  const start = body.indexOf("url:'/async");
  const path = body.slice(start + "url:'".length, body.indexOf("'", start + "url:'".length));
  const withPath = (other: string) => body.replace(`url:'${path}'`, () => `url:'${other}'`);

  test.each([
    ['a page whose overview has its text', fetchPage('/search?q=why+lamps&gl=us&start=0')],
    ['a page without an overview', fetchPage('/search?q=plain+words+here&gl=us&start=0')],
    ['a page without the script', withPath('/other')],
    ['a path elsewhere', withPath('//evil.example/async/folsrch?async=_id:B2Jtyd')],
    ['another origin', withPath('https://evil.example/async/folsrch?async=_id:B2Jtyd')],
    ['an answer for another element', withPath('/async/folsrch?async=_id:Other')],
    ['a path that is too long', withPath(`/async/folsrch?async=_id:B2Jtyd\\x26q\\x3d${'a'.repeat(9000)}`)],
    ['a path with an unknown escape', withPath('/async/folsrch?async=_id:B2Jtyd\\q')],
    ['an element with no id', body.replace(' id="B2Jtyd"', '')],
    ['an element with a strange id', body.replace(' id="B2Jtyd"', ' id="a&quot;b"')],
  ])('is not in %s', (_, html) => {
    expect(open(html).deferred).toBeUndefined();
  });

  test('may have escapes of both lengths', () => {
    const { deferred } = open(withPath('\\/async/folsrch?async=_id:B2Jtyd'.replace('\\/', '/')));
    expect(deferred?.path).toBe('/async/folsrch?async=_id:B2Jtyd');
    expect(open(withPath('/async/folsrch?q\\x3da\\u0026async=_id:B2Jtyd')).deferred?.path).toBe(
      '/async/folsrch?q=a&async=_id:B2Jtyd',
    );
  });

  test('is looked for in bounded time', () => {
    const many = body.replace('</body>', `<script>${"url:'/async/folsrch?".repeat(100_000)}</script></body>`);

    expect(open(many).parsed.unread).toBeUndefined();
  });
});

describe('an answer', () => {
  test('becomes a part of the page', () => {
    expect(overviewOf(body)).toMatchObject({ state: 'deferred' });

    const whole = open(body).deferred?.withAnswer(good) ?? '';

    expect(overviewOf(whole)).toMatchObject({
      state: 'present',
      snippet: expect.stringMatching(/.{40}/),
      sources: [{ position: 1 }, { position: 2 }, { position: 3 }],
    });
    expect(open(whole).deferred).toBeUndefined();
    const others = (html: string) =>
      open(html).parsed.left.flatMap(({ type, title, url, position }) =>
        type === 'ai_overview' ? [] : [{ type, title, url, position }],
      );
    expect(others(whole)).toEqual(others(body));
  });

  test('may begin and end with marks of its own', () => {
    const whole = open(body).deferred?.withAnswer(`)]}'\n4c2;${good}0;`) ?? '';

    expect(overviewOf(whole)?.snippet).toBe(overviewOf(open(body).deferred?.withAnswer(good) ?? '')?.snippet);
  });

  test.each([
    ['an empty answer', ''],
    ['an answer without a text', '<div role="progressbar"></div>'],
    ['a request for a captcha', fetchPage('/search?q=captcha:+lamps')],
    ['another page of results', fetchPage('/search?q=why+chairs&gl=us')],
    [
      'an answer that ends the overview',
      `${good}</div></div></div></div></div><a href="https://x.example/"><h3>X</h3></a>`,
    ],
    ['an answer that hides the rest of the page', `${good}<textarea>`],
    ['an answer that is not HTML', '{"error":true}'],
  ])('that is %s changes nothing', (_, answer) => {
    const { deferred } = open(body);

    expect(deferred).toBeDefined();
    expect(deferred?.withAnswer(answer)).toBeUndefined();
  });
});
