/** Hidden links: the links to look up, the meaning of a response, and the page with the targets in it. */
import { describe, expect, test } from 'vitest';
import { reader } from '../../../../lib/serp/google/reader.ts';

const { readLocation } = reader.hiddenLinks;

const read = (html: string) => reader.open(html).read('desktop');

const hidden = (token: string) => `https://www.google.com/goto?url=CAES${token}`;

const result = (href: string, title: string, more = '') => `
  <div><div>
    <a href="${href}"><h3>${title}</h3><cite>https://lamps.example › ${title.toLowerCase()}</cite></a>
    <div data-sncf="1"><div>About ${title}.</div></div>${more}
  </div></div>`;

const page = (rso: string) => `<!doctype html><html><body>
  <form action="/search"><textarea name="q">lamps</textarea></form>
  <div id="rcnt"><div id="search"><div id="rso">${rso}</div></div></div></body></html>`;

describe('links to look up', () => {
  test('are the hidden links of items: web results first, each link once, with or without a host', () => {
    const html = page(`
      <div class="related-question-pair" data-q="Which lamps?"><div data-attrid="wa:/description">Any.</div>
        <a href="/goto?url=CAESquestion"><h3>Answer</h3><cite>https://faq.example</cite></a></div>
      ${result('/goto?url=CAESone', 'One', '<a href="/goto?url=CAESsite">Contact</a>')}
      ${result('https://www.google.com/goto?url=CAEStwo', 'Two')}
      ${result('https://plain.example/', 'Plain')}
      ${result('/goto?url=CAESone', 'Again')}`);

    expect(reader.hiddenLinks.of(read(html))).toEqual([
      hidden('one'),
      hidden('two'),
      hidden('question'),
      hidden('site'),
    ]);
  });

  test('do not include a result whose target is in the page', () => {
    const html = page(
      result('/goto?url=CAESone', 'One', '<a href="https://lamps.example/one#:~:text=About">Read more</a>') +
        result('/goto?url=CAEStwo', 'Two'),
    );

    const parsed = read(html);

    expect(parsed.left.map(({ url_resolution }) => url_resolution)).toEqual(['page', 'opaque']);
    expect(reader.hiddenLinks.of(parsed)).toEqual([hidden('two')]);
  });
});

test.each<[string | null, ReturnType<typeof readLocation>]>([
  ['https://lamps.example/one', 'https://lamps.example/one'],
  ['https://lamps.example/one#:~:text=bright', 'https://lamps.example/one'],
  ['https://lamps.example/one#part:~:text=bright', 'https://lamps.example/one#part'],
  ['https://www.google.com/url?q=https://lamps.example/%3Fa%3Db&sa=U', 'https://lamps.example/?a=b'],
  ['https://www.google.com/interstitial?url=https://lamps.example/', 'https://lamps.example/'],
  [
    'https://play.google.com/store/apps/details?id=lamp',
    'https://play.google.com/store/apps/details?id=lamp',
  ],
  [hidden('other'), null],
  [`https://www.google.com/url?q=${encodeURIComponent(hidden('other'))}`, null],
  ['https://www.google.com/sorry/index?continue=x', 'refused'],
  ['https://www.google.com/httpservice/retry/enablejs', 'refused'],
  ['https://consent.google.de/ml?continue=x', 'refused'],
  ['https://www.google.com/search?q=lamps', 'refused'],
  ['ftp://lamps.example/', 'refused'],
  ['', 'refused'],
  [null, 'refused'],
])('a redirect to %s gives %s', (location, target) => {
  expect(readLocation(location)).toBe(target);
});

describe('a page with the targets of its links', () => {
  const html = page(
    result(
      '/goto?url=CAESone',
      'One',
      '<a href="/goto?url=CAESsite">Contact</a><a href="/goto?url=CAESad">Cheap</a>',
    ) + result('/goto?url=CAEStwo', 'Two'),
  );
  const read = (targets: Record<string, string>) =>
    reader.open(html, (link) => targets[link]).read('desktop').left;

  test('reads like a page without hidden links', () => {
    const [one, two] = read({
      [hidden('one')]: 'https://www.lights.example/1',
      [hidden('site')]: 'https://www.lights.example/contact',
      [hidden('ad')]: 'https://elsewhere.example/',
      [hidden('two')]: 'https://lamps.example/2',
    });

    expect(one).toMatchObject({
      url: 'https://www.lights.example/1',
      url_resolution: 'redirect',
      domain: 'lights.example',
      sitelinks: [{ title: 'Contact', url: 'https://www.lights.example/contact' }],
    });
    expect(two).toMatchObject({ url: 'https://lamps.example/2', url_resolution: 'redirect' });
  });

  test('keeps a link without a target hidden, with the host that the page shows', () => {
    const [one, two] = read({ [hidden('one')]: 'https://lamps.example/1' });

    expect(one).toMatchObject({ url: 'https://lamps.example/1', url_resolution: 'redirect' });
    expect(two).toMatchObject({ url: hidden('two'), url_resolution: 'opaque', domain: 'lamps.example' });
  });
});
