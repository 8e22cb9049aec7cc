/**
 * The pages of the sandbox's Yahoo as they are asked for. What the service reads from them is tested with its
 * reader.
 */
import { describe, expect, test } from 'vitest';
import { plannedItems } from '../../../lib/sandbox/plan.ts';
import { answerRequest } from '../../../lib/sandbox/yahoo/engine.ts';
import { planPage } from '../../../lib/sandbox/yahoo/plan.ts';
import { readSearch } from '../../../lib/sandbox/yahoo/search.ts';
import { noon } from './ask.ts';

const requestOf = (query: string, page = 1, host = 'search.yahoo.com', more = '') => ({
  url: `https://${host}/search?p=${encodeURIComponent(query)}&ei=UTF-8${more}&b=${(page - 1) * 7 + 1}&pz=7`,
  device: 'desktop' as const,
  now: noon,
});

test.each([
  ['search.yahoo.com', '', 'us', 'en'],
  ['uk.search.yahoo.com', '', 'gb', 'en'],
  ['de.search.yahoo.com', '', 'de', 'de'],
  ['qc.search.yahoo.com', '', 'ca', 'fr'],
  ['espanol.search.yahoo.com', '', 'us', 'es'],
  ['de.search.yahoo.com', '&vl=lang_fr&fl=1', 'de', 'fr'],
])('%s%s is the country %s and the language %s', (host, more, country, language) => {
  expect(readSearch(requestOf('tea', 1, host, more))).toMatchObject({ country, language });
});

test('a page has the seven planned results, in order', () => {
  for (const page of [1, 2, 14]) {
    const request = requestOf('garden chairs', page);
    const planned = plannedItems(planPage(readSearch(request))).left.filter(({ type }) => type === 'organic');
    const { body } = answerRequest(request);

    const targets = [...body.matchAll(/<div class="compTitle"><a href="[^"]*\/RU=([^/]*)\/RK=2/g)].map(
      ([, url = '']) => decodeURIComponent(url),
    );
    expect(planned).toHaveLength(7);
    expect(targets).toEqual(planned.map(({ url }) => url));
  }
});

describe('a misfortune', () => {
  test.each([
    ['captcha', 429],
    ['script_wall', 200],
    ['consent', 200],
    ['soft_block', 403],
    ['decoy', 200],
    ['empty', 200],
    ['canned', 200],
    ['drift', 200],
    ['http_500', 500],
    ['http_429', 429],
  ])('%s has the status %i and no results of the query', (name, status) => {
    const page = answerRequest(requestOf(`${name}: coffee beans`));

    expect(page).toMatchObject({ status, cut: false });
    expect(page.body).not.toMatch(/<h3 class="title"><span>[^<]*coffee/i);
  });
});
