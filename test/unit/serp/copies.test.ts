/** Results that a page hides or has twice: what is read of them, and when the page is refused. */
import { describe, expect, test } from 'vitest';
import type { ResultItem } from '../../../lib/model/result.ts';
import { reader } from '../../../lib/serp/bing/reader.ts';
import { repeatsRanking } from '../../../lib/serp/copies.ts';

const result = (name: string, attributes = '') =>
  `<li class="b_algo"${attributes}><h2><a href="https://${name}.example/">Glaciers of ${name}</a></h2><p>${name}</p></li>`;

const read = (items: string) => {
  const html = `<!doctype html><html><body><form><input name="q" value="glaciers"></form><ol id="b_results">${items}</ol>
    <footer></footer></body></html>`;
  const page = reader.open(html);
  const parsed = page.read('desktop');
  const verdict = page.judge(parsed, {
    query: 'glaciers',
    device: 'desktop',
    fetchedAt: 1_773_144_000,
    status: 200,
    url: 'https://www.bing.com/search?q=glaciers',
  });
  return { verdict, shown: parsed.left.map(({ title }) => title.split(' ').at(-1)).join('') };
};

const six = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => result(name)).join('');

describe('a hidden copy of a result', () => {
  test.each([
    ' hidden',
    ' aria-hidden="true"',
    ' style="display: none"',
    ' style="position:absolute;left:-9999px"',
    ' style="visibility:hidden"',
    ' style="opacity:0"',
    ' style="Visibility : Hidden"',
  ])('with%s is not read, before the result or after it', (attributes) => {
    expect(read(six + result('b', attributes))).toEqual({ verdict: 'results', shown: 'abcdef' });
    expect(read(result('b', attributes) + six)).toEqual({ verdict: 'results', shown: 'abcdef' });
  });

  test('in a hidden box is not read', () => {
    const copies = `<li hidden><ol>${result('a')}${result('c')}</ol></li>`;

    expect(read(six + copies).shown).toBe('abcdef');
  });

  test('is not known by what hides all results', () => {
    expect(read(`<div style="visibility:hidden">${six}${result('a')}</div>`).shown).toBe('abcdefa');
  });

  test('is told from a hidden result that is shown nowhere else', () => {
    expect(read(six + result('g', ' style="visibility:hidden"')).shown).toBe('abcdefg');
  });
});

describe('a result that browsers do not display', () => {
  test.each([
    ' hidden',
    ' hidden="until-found"',
    ' style="display:none"',
    ' style="color:red;display: NONE"',
    ' style="DISPLAY : none !important"',
  ])('with%s has no position', (attributes) => {
    expect(read(result('g', attributes) + six)).toEqual({ verdict: 'results', shown: 'abcdef' });
    expect(read(`<li${attributes}><ol>${result('g')}</ol></li>${six}`).shown).toBe('abcdef');
  });

  test.each([
    ' style="display:block"',
    ' style="--display:none"',
    ' style="display:none-x"',
    ' style="visibility:hidden"',
    ' aria-hidden="true"',
    ' class="hidden"',
  ])('is not told by%s: scripts may show it', (attributes) => {
    expect(read(six + result('g', attributes)).shown).toBe('abcdefg');
  });

  test('is no result of the page: a page with such results only is refused', () => {
    for (const attributes of [' hidden', ' style="display:none"'])
      expect(read(`<div${attributes}>${six}</div>`)).toEqual({ verdict: 'unknown_layout', shown: '' });
  });
});

describe('a page with results that stand twice', () => {
  test('is refused if they are a fifth or more of all', () => {
    expect(read(six + six).verdict).toBe('unknown_layout');
    expect(read(six + result('a') + result('b')).verdict).toBe('unknown_layout');
  });

  test('is accepted with one of six', () => {
    expect(read(six + result('a'))).toEqual({ verdict: 'results', shown: 'abcdefa' });
  });

  test('is refused if two columns of results have the same id', () => {
    const other = ['g', 'h', 'i'].map((name) => result(name)).join('');

    expect(read(`${six}</ol><ol id="b_results">${other}`).verdict).toBe('unknown_layout');
    expect(read(`${six}</ol><ol id="b_results">`).verdict).toBe('results');
  });
});

test('results of one address with other titles, and of one title with other addresses, do not repeat', () => {
  const item = (title: string, url: string): ResultItem => ({
    type: 'organic',
    position: '1',
    absolute_position: 1,
    title,
    url,
    breadcrumb: 'a.example',
    snippet: '',
  });

  expect(repeatsRanking([item('A', '/goto?url=1'), item('A', '/goto?url=1')])).toBe(true);
  expect(repeatsRanking([item('A', '/goto?url=1'), item('A', '/goto?url=2')])).toBe(false);
  expect(repeatsRanking([item('A', '/goto?url=1'), item('B', '/goto?url=1')])).toBe(false);
});
