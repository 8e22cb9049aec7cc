/** A block, a throttle and an error are told apart from data. */
import { expect, test } from 'vitest';
import { refusalOf } from '../../../lib/provider/refusal.ts';

const html = { 'content-type': 'text/html; charset=UTF-8' };
const sorry = 'https://www.example.com/sorry/index?continue=x';
const now = Date.parse('2026-11-22T08:00:00Z');

const cases: [string, number, Record<string, string>, string, string | null, number?][] = [
  ['data', 200, { 'content-type': 'application/json' }, '["captcha",["captcha solver"]]', null],
  ['data with the type of a page', 200, html, '["tea",["tea pot"]]', null],
  ['a redirect to a challenge', 302, { location: sorry }, '', 'captcha', 300],
  ['a redirect to a consent page', 302, { location: 'https://consent.example.com/m' }, '', 'captcha', 300],
  ['another redirect', 302, { location: 'https://www.example.com/' }, '', 'redirected'],
  ['a redirect without a target', 302, {}, '', 'redirected'],
  ['a challenge with status 200', 200, html, '<!doctype html><form id="captcha-form">', 'captcha', 300],
  [
    'a challenge with status 503',
    503,
    html,
    '<html>Our systems have detected unusual traffic',
    'captcha',
    300,
  ],
  ['429 without a wait', 429, html, '<!DOCTYPE html><title>Error 429', 'throttled', 60],
  ['429 with a wait', 429, { 'retry-after': '7' }, '', 'throttled', 7],
  ['429 with a date', 429, { 'retry-after': 'Sun, 22 Nov 2026 08:01:30 GMT' }, '', 'throttled', 90],
  ['429 with a past date', 429, { 'retry-after': 'Sun, 22 Nov 2026 07:00:00 GMT' }, '', 'throttled', 1],
  ['429 with a very long wait', 429, { 'retry-after': '999999' }, '', 'throttled', 3600],
  ['429 with nonsense', 429, { 'retry-after': 'soon' }, '', 'throttled', 60],
  ['429 with a figure among words', 429, { 'retry-after': 'in 7 minutes' }, '', 'throttled', 60],
  ['429 with words behind a figure', 429, { 'retry-after': '7 minutes' }, '', 'throttled', 60],
  ['503 with a wait', 503, { 'retry-after': '30' }, '', 'throttled', 30],
  ['503 without a wait', 503, {}, '', 'upstream'],
  ['403', 403, html, '<html>Forbidden', 'refused', 300],
  ['400', 400, html, '<!DOCTYPE html><title>Error 400 (Bad Request)!!1</title>', 'upstream'],
  ['500', 500, {}, '', 'upstream'],
  ['204', 204, {}, '', 'upstream'],
  ['a challenge in other words', 200, html, '<html>Please verify you are human', 'captcha', 300],
  ['a challenge without a type', 200, {}, '<html>captcha', 'captcha', 300],
  ['a challenge in plain words', 200, html, 'Our systems have detected unusual traffic', 'captcha', 300],
  ['data about an element of a page', 200, {}, '["<html>",["<html> tag"]]', null],
  ['data with a wait', 200, { 'retry-after': '30' }, '["tea",[]]', null],
  ['403 with a wait', 403, { 'retry-after': '20' }, '', 'refused', 20],
  ['a page with status 200', 200, html, '\n<!-- x -->\n<!DOCTYPE html><title>Welcome</title>', 'malformed'],
];

test.each(cases)('%s', (_, status, headers, body, word, wait) => {
  const refusal = refusalOf({ status, headers, body }, now);

  expect(refusal?.word ?? null).toBe(word);
  expect(refusal?.retryAfterSeconds).toBe(wait);
});

test.each([
  [
    'a challenge',
    302,
    { location: sorry },
    '',
    'blocked',
    'the source suspects a robot and asks for a person',
  ],
  ['another redirect', 302, {}, '', 'malformed', 'the source answers 302 instead of data'],
  ['403', 403, {}, '', 'blocked', 'the source answers 403'],
  ['400', 400, {}, '', 'rejected', 'the source answers 400'],
  ['300', 300, {}, '', 'malformed', 'the source answers 300 instead of data'],
  ['399', 399, {}, '', 'malformed', 'the source answers 399 instead of data'],
  ['499', 499, {}, '', 'rejected', 'the source answers 499'],
  ['500', 500, {}, '', 'down', 'the source answers 500'],
  ['204', 204, {}, '', 'malformed', 'the source answers 204'],
  ['429', 429, {}, '', 'throttled', 'the source answers 429, too many requests'],
  ['a page', 200, html, '<html>', 'malformed', 'the source answers a page instead of data'],
])('what %s means', (_, status, headers, body, problem, reason) => {
  expect(refusalOf({ status, headers, body })).toMatchObject({ ok: false, problem, reason });
});

test.each([
  ['429 with a wait of no time', { 'retry-after': '0' }, 429, 1],
  ['429 with spaces', { 'retry-after': ' 8 ' }, 429, 8],
])('%s', (_, headers, status, wait) => {
  expect(refusalOf({ status, headers, body: '' })?.retryAfterSeconds).toBe(wait);
});
