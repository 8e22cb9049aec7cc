/** Invented pages of a proxy, or of a gateway before it, in place of those of an engine. */
import { describe, expect, test } from 'vitest';
import type { PageFetch } from '../../../lib/serp/engine-reader.ts';
import { readers } from '../../../lib/serp/reader.ts';

type Engine = keyof typeof readers;

const engines: Engine[] = ['google', 'bing', 'yahoo', 'youtube'];

const judge = (engine: Engine, body: string, status: number) => {
  const page = readers[engine].open(body);
  const fetch: PageFetch = { query: 'kiln', device: 'desktop', fetchedAt: 1_790_000_000, status, url: '' };
  return page.judge(page.read('desktop', 'kiln'), fetch);
};

const document = (head: string, body: string) =>
  `<!DOCTYPE html><html lang="en-US"><head>${head}</head><body${body}</body></html>`;

const challenges = {
  'a script': document(
    '<title>Just a moment...</title>',
    '><p>Wait</p><script src="/cdn-cgi/challenge-platform/h/g/orchestrate/chl_page/v1?ray=1"></script>',
  ),
  'a script that adds another': document(
    '<title>Just a moment...</title>',
    `><p>${'Wait. '.repeat(50)}</p><script>window._cf_chl_opt={cType:'managed'};a.src='/cdn-cgi/x'</script>`,
  ),
  'a script that adds another, in a function': document(
    '<title>Just a moment...</title>',
    `><p>${'Wait. '.repeat(50)}</p><script>(function(){window._cf_chl_opt = {cvId: '3'};}());</script>`,
  ),
};

const others = {
  'a script of DataDome': '<script src="https://ct.captcha-delivery.com/c.js"></script>',
  'a frame of DataDome': '<iframe src="https://geo.captcha-delivery.com/interstitial/?cid=1"></iframe>',
  'a frame of Imperva': '<iframe id="main-iframe" src="/_Incapsula_Resource?CWUDNSAI=9&xinfo=1"></iframe>',
  'a script of AWS WAF':
    '<script src="https://1c5c.d474.us-west-2.token.awswaf.com/1c5c/2a/challenge.js"></script>',
  'a captcha of AWS WAF':
    '<script src="https://1c5c.d474.us-west-2.captcha.awswaf.com/1c5c/2a/captcha.js"></script>',
  'a compact script of AWS WAF':
    '<script src="https://1c5c.d474.eu-west-1.token.awswaf.com/1c5c/challenge.compact.js"></script>',
};

const proxyErrors = {
  'the name of the error': document('<title>ERROR</title>', ' id="ERR_ACCESS_DENIED"><p>Access denied.</p>'),
  'the name of another error': document('<title>ERROR</title>', ' id=ERR_CACHE_ACCESS_DENIED><p>Denied.</p>'),
};

describe.each(engines)('%s', (engine) => {
  test.each(Object.entries(challenges))(
    'a challenge with %s is a page that a browser gets past',
    (_, html) => {
      for (const status of [200, 403, 503]) expect(judge(engine, html, status)).toBe('script_wall');
    },
  );

  test.each(Object.entries(others))('a challenge with %s is a page that a browser gets past', (_, html) => {
    for (const status of [200, 403])
      expect(judge(engine, document('', `><p>Wait</p>${html}`), status)).toBe('script_wall');
  });

  test.each([
    '<script src="/_Incapsula_Resource?SWJIYLWA=719d"></script>',
    '<script src="https://js.datadome.co/tags.js"></script>',
    '<script src="https://blog.example/https://ct.captcha-delivery.com/c.js"></script>',
    '<script src="https://1c5c.d474.us-west-2.token.awswaf.com/1c5c/telemetry.js"></script>',
    '<a href="https://ct.captcha-delivery.com/c.js">c.js</a>',
  ])('what another gateway adds to every page, or a link, is no challenge: %s', (html) => {
    expect(judge(engine, document('', `><p>Refused</p>${html}`), 403)).toBe('soft_block');
  });

  const namesStatus = ['403 Forbidden', 'Error 429 (Too Many Requests)!!1', 'HTTP 503', 'エラー503', '(403)'];

  test.each(namesStatus)('a page whose title or heading names the status of a refusal is one: %s', (text) => {
    expect(judge(engine, document(`<title>${text}</title>`, '><p>Later</p>'), 200)).toBe('soft_block');
    expect(judge(engine, document('', `><h1>${text}</h1><p>Later</p>`), 200)).toBe('soft_block');
  });

  test.each([
    ['another status', document('<title>502 Bad Gateway</title>', '><p>Later</p>')],
    ['a part of a longer number', document('<title>4030 or 1.429 or R503</title>', '><p>Later</p>')],
    ['in a sentence below the heading', document('<title>Error</title>', '><p>403 Forbidden</p>')],
    ['on a long page', document('<title>403</title>', `><p>${'A sentence of a page. '.repeat(100)}</p>`)],
    ['on a page with a field', document('<title>403</title>', '><input name="email"><p>Later</p>')],
  ])('a number that is no status of a refusal does not count: %s', (_, html) => {
    expect(judge(engine, html, 200)).toBe('unknown_layout');
  });

  test.each(Object.entries(proxyErrors))(
    'a refusal of the proxy with %s is none of the engine',
    (_, html) => {
      for (const status of [200, 403, 503]) expect(judge(engine, html, status)).toBe('unknown_layout');
    },
  );

  test('a refusal without these marks may be of the engine', () => {
    expect(judge(engine, document('<title>Error</title>', ' id="error"><p>Refused</p>'), 403)).toBe(
      'soft_block',
    );
  });

  test.each([
    'var q="_cf_chl_opt";',
    'var q="_cf_chl_opt = 1";',
    "var q='window._cf_chl_opt={cType:1}';",
    'var q=`;window._cf_chl_opt={}`;',
    '{"q":"(function(){window._cf_chl_opt={cvId:3"}',
    'var q="\\";window._cf_chl_opt={}";',
  ])('a query in a script of the engine is no challenge: %s', (script) => {
    expect(judge(engine, document('', `><p>Refused</p><script>${script}</script>`), 403)).toBe('soft_block');
  });

  test.each(['_cf_chl_opt', '_cf_chl_opt = 1', 'window._cf_chl_opt={}'])(
    'a query in an attribute or a text is no challenge: %s',
    (query) => {
      const body = `><form><input name="q" value="${query}"></form><p>${query}</p>`;

      expect(judge(engine, document('', body), 403)).toBe('soft_block');
    },
  );

  test('a script that a gateway adds to every page is no challenge', () => {
    const script = '<script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"></script>';

    expect(judge(engine, document('', `><p>Refused</p>${script}`), 403)).toBe('soft_block');
  });
});
