/** Results of several engines in the form of SearXNG. */
import { expect, test } from 'vitest';
import { csvOf, engineCalled, jsonOf, rssOf } from '../../../lib/compat/searxng/answer.ts';
import { merge } from '../../../lib/compat/searxng/merge.ts';
import { foundWith, item } from './found.ts';

const web = (url: string, more = {}) => item('organic', { url, ...more });

test('one address of two engines is one result, and is above what only one engine shows', () => {
  const merged = merge([
    { engine: 'google', items: [web('https://one.example/'), web('https://www.two.example/a')] },
    {
      engine: 'bing',
      items: [
        web('https://two.example/a/', { snippet: 'A longer text about this page.' }),
        web('https://three.example/'),
      ],
    },
  ]);

  expect(merged.map(({ url, engines, positions, score }) => [url.href, engines, positions, score])).toEqual([
    ['https://www.two.example/a', ['google', 'bing'], [2, 1], 3],
    ['https://one.example/', ['google'], [1], 1],
    ['https://three.example/', ['bing'], [2], 0.5],
  ]);
  expect(merged[0]?.content).toBe('A longer text about this page.');
});

test('an address that is not of the web is no result', () => {
  const items = ['javascript:alert(1)', '', 'not an address', 'ftp://files.example/'].map((url) => web(url));

  expect(merge([{ engine: 'google', items }])).toEqual([]);
});

test('an engine without results is named, and hides no other', () => {
  const json = jsonOf('coffee', [
    {
      engine: 'google',
      found: foundWith(
        [
          web('https://one.example/a?b=c#d'),
          item('direct_answer', { title: '6 × 7 =', snippet: '42', url: '' }),
          item('related_search', { items: ['coffee cup', 'coffee cup'] }),
          item('spelling', { title: 'coffee' }),
        ],
        [item('knowledge_panel', { facts: [{ label: 'Origin', value: 'Yemen' }] })],
      ),
    },
    { engine: 'bing', cause: 'captcha' },
    { engine: 'yahoo', cause: 'timeout' },
  ]);

  expect(json).toMatchObject({
    results: [
      {
        url: 'https://one.example/a?b=c#d',
        engine: 'google',
        parsed_url: ['https', 'one.example', '/a', '', 'b=c', 'd'],
        score: 1,
      },
    ],
    answers: [{ answer: '6 × 7 = 42', url: null }],
    suggestions: ['coffee cup'],
    corrections: ['coffee'],
    infoboxes: [{ infobox: 'A knowledge_panel', attributes: [{ label: 'Origin', value: 'Yemen' }] }],
    unresponsive_engines: [
      ['bing', 'CAPTCHA'],
      ['yahoo', 'timeout'],
    ],
  });
});

test('CSV and RSS contain titles as text', () => {
  const found = foundWith([web('https://one.example/?a=1&b=2', { title: '=1+1 <b>&', snippet: 'x' })]);

  expect(csvOf([{ engine: 'google', found }])).toBe(
    "title,url,content,host,engine,score,type\r\n'=1+1 <b>&,https://one.example/?a=1&b=2,x,one.example,google,1,result\r\n",
  );
  expect(rssOf('a "b"', [{ engine: 'google', found }])).toContain(
    '<item><title>=1+1 &lt;b&gt;&amp;</title><type>result</type><link>https://one.example/?a=1&amp;b=2</link>',
  );
});

test('a feed has no characters that XML does not have', () => {
  const found = foundWith([web('https://one.example/', { title: 'a\u000b\u001b\ud800\ufffeb😀' })]);

  expect(rssOf('\u0001', [{ engine: 'google', found }])).toMatch(/<title>ab(?:😀|&#x1f600;)<\/title>/);
});

test.each([
  ['google', 'google'],
  ['go', 'google'],
  ['yt', 'youtube'],
  ['duckduckgo', undefined],
  ['constructor', undefined],
])('the engine %j is %j', (name, expected) => expect(engineCalled(name)).toBe(expected));
