/**
 * The work of reading a page is bounded: it grows as the page does, and a page that needs too much of it is
 * no result.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Device } from '../../lib/model/crawl-request.ts';
import { maxSteps } from '../../lib/serp/google/reader.ts';
import { costOf, faultsOf } from './repeated.ts';

const root = join(import.meta.dirname, 'google');
const devices: Device[] = ['desktop', 'mobile'];

const htmlOf = (name: string): string => readFileSync(join(root, name, 'page.html'), 'utf8');

const cases = devices.flatMap((device) =>
  readdirSync(join(root, device)).map((folder) => ({ name: `${device}/${folder}`, device })),
);

test.each(cases)('$name with an element repeated a thousand times', ({ name, device }) => {
  const html = htmlOf(name);

  expect([1, 2].flatMap((seed) => faultsOf(html, device, seed))).toEqual([]);
});

/** A page counts only if it has its end. */
const organic = htmlOf('desktop/organic').replace('</body>', '<footer></footer></body>');

/** The page with more elements at the start of its main column. */
const withElements = (elements: string): string =>
  organic.replace('<div id="rso">', (column) => column + elements);

const link = '<a href="https://a.example/">a</a>';
const result = '<a href="https://a.example/"><h3>a</h3></a>';

describe('the steps grow as the number of elements does', () => {
  test.each<[string, (times: number) => string]>([
    ['captions', (times) => `<div>${'<h2>A caption</h2>'.repeat(times)}${link}</div>`],
    ['captions with links', (times) => `<div><h2>A caption</h2>${link}</div>`.repeat(times)],
    ['titles of a panel', (times) => '<div data-attrid="title">A title</div>'.repeat(times)],
    [
      'titles of a panel with a search',
      (times) => '<div><b data-attrid="title">A title</b><a href="/search?q=a">a</a></div>'.repeat(times),
    ],
    ['terms', (times) => `<h2>Related</h2>${'<a href="/search?q=lantern">lantern</a>'.repeat(times)}`],
    ['results', (times) => `<div>${result}<cite>https://a.example</cite></div>`.repeat(times)],
    ['hidden links', (times) => '<div><a href="/goto?url=CAESabcdefghijklmnop"><h3>a</h3></a></div>'.repeat(times)],
    [
      'places',
      (times) =>
        `<h2>Places</h2><a href="/maps/a">a</a>${'<div><b role="heading" aria-level="3">A</b><i>4.5</i></div>'.repeat(times)}`,
    ],
    [
      'questions',
      (times) =>
        `<div><h2>Questions</h2><div>${'<div><b role="button" aria-expanded="false">Why?</b></div>'.repeat(times)}</div></div>`,
    ],
    [
      'advice',
      (times) => '<b>paper lanterns</b><ul><li>a</li><li>b</li></ul>'.repeat(times),
    ],
  ])('%s', (_, elements) => {
    const few = costOf(withElements(elements(250)), 'desktop');
    const many = costOf(withElements(elements(1000)), 'desktop');

    expect(many.read).toBeLessThan(5 * few.read);
    expect(many.judged).toBeLessThan(5 * few.judged + 1000);
  });
});

describe('a page that is made to keep the reader busy is no result', () => {
  test.each([
    ['captions in captions', `<div><h2>A caption</h2>${link}`.repeat(400)],
    ['answers in answers', `<div class="xpdopen">${result}${result.replace('a.', 'b.')}${result.replace('a.', 'c.')}`.repeat(400)],
  ])('%s', (_, elements) => {
    const { verdict, parsed, read } = costOf(withElements(elements), 'desktop', maxSteps);

    expect(verdict).toBe('unknown_layout');
    expect(parsed).toMatchObject({ unread: true, left: [], right: [] });
    expect(read).toBeLessThan(1.1 * maxSteps);
  });

  test('lists in lists on a page without results', () => {
    const lists = '<b>a</b><ul><li>a</li><li>b'.repeat(160);

    expect(costOf(`<form action="/search"></form>${lists}`, 'desktop').verdict).toBe('unknown_layout');
  });
});

test('the same page without the many elements is a result', () => {
  expect(costOf(organic, 'desktop', maxSteps).verdict).toBe('results');
});

test('an element that has the name of a property of objects is an element like any other', () => {
  expect(costOf(withElements('<constructor>a</constructor><tostring>'), 'desktop').verdict).toBe('results');
});
