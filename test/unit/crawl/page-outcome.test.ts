/** The outcome of an engine's answer: throttled, blocked or failed. */
import { expect, test } from 'vitest';
import { outcomeOf } from '../../../lib/crawl/page-outcome.ts';
import type { SerpRow } from '../../../lib/store/task-row.ts';

const search = { engine: 'google', keyword: 'coffee', device: 'desktop', iso_code: 'US' } as SerpRow;
const plain = '<html><body><p>Not now.</p></body></html>';
const captcha = '<html><body><form id="captcha-form" action="/sorry/index"></form></body></html>';

test.each([
  [429, {}, plain, 'throttled', 'soft_block', /^throttled: /],
  [503, { 'retry-after': '120' }, plain, 'throttled', 'soft_block', /^throttled: /],
  [503, {}, plain, 'blocked', 'soft_block', /^soft_block: /],
  [429, {}, captcha, 'blocked', 'captcha', /^captcha: /],
  [503, { 'retry-after': '120' }, captcha, 'blocked', 'captcha', /^captcha: /],
  [403, {}, plain, 'blocked', 'soft_block', /^soft_block: /],
  [500, {}, plain, 'failed', 'unknown_layout', /^unreachable: /],
  [502, { 'retry-after': '120' }, plain, 'failed', 'unknown_layout', /^unreachable: /],
  [200, {}, plain, 'blocked', 'unknown_layout', /^unknown_layout: /],
])('%i with %j and %s is %s', (status, headers, body, outcome, verdict, reason) => {
  const judged = outcomeOf(search, 1, { ok: true, status, url: '', headers, body });

  expect(judged).toMatchObject({ outcome, verdict, has_next: false });
  expect(judged.reason).toMatch(reason);
});

const { answerRequest } = await import('../../../lib/sandbox/google/engine.ts');

/** A page of results whose language has a region. */
const pageIn = (lang: string) => {
  const now = Math.floor(Date.now() / 1000);
  const url = 'https://www.google.com/search?q=coffee';
  const { body } = answerRequest({ url, device: 'desktop', now });
  return { ok: true, status: 200, url, body: body.replace(/ lang="[^"]*"/, ` lang="${lang}"`) } as const;
};

test('a page for another country is a decoy, and the reason names both countries', () => {
  expect(outcomeOf(search, 1, pageIn('en-DE'))).toMatchObject({
    outcome: 'blocked',
    verdict: 'decoy',
    reason: 'decoy: the page is for DE, US was asked',
  });
  expect(outcomeOf({ ...search, iso_code: 'DE' }, 1, pageIn('en-DE')).outcome).toBe('fetched');
});

test('a page of an origin of the operator must be for the asked country, too', () => {
  expect(outcomeOf(search, 1, pageIn('en-DE'), { isReplay: true }).verdict).toBe('decoy');
});

test('a page of AI Mode is no page of results, and the reason names it', () => {
  const turn =
    '<div data-xid="aim-mars-turn-root"><h2>coffee</h2><p>Coffee is roasted.</p><a href="https://roast.example/"><h3>Roasting</h3><cite>https://roast.example</cite></a></div>';
  const page = pageIn('en-US');
  const instead = page.body.replace(
    /(<div id="rso"[^>]*>).*(?=<div id="botstuff")/s,
    `$1${turn}</div></div>`,
  );

  expect(outcomeOf(search, 1, { ...page, body: instead })).toMatchObject({
    outcome: 'blocked',
    verdict: 'unknown_layout',
    reason: 'unknown_layout: the page is one of AI Mode, which has no list of results',
  });
  expect(
    outcomeOf(search, 1, { ...page, body: page.body.replace('<div id="rso"', `${turn}$&`) }).outcome,
  ).toBe('fetched');
});

test('a page in another language is fetched', () => {
  expect(outcomeOf({ ...search, language_code: 'en' }, 1, pageIn('de')).outcome).toBe('fetched');
});
