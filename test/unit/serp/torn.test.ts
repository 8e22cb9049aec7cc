/** Pages in whose middle a part is missing, and whole pages that look a little like them. */
import { describe, expect, test } from 'vitest';
import { reader as bing } from '../../../lib/serp/bing/reader.ts';
import { parseHtml } from '../../../lib/serp/page.ts';
import { isTorn } from '../../../lib/serp/torn.ts';

const result = (name: string) =>
  `<li class="b_algo"><h2><a href="https://${name}.example/" target="_blank">Glaciers of ${name}</a></h2><p>${name}</p></li>`;

const script = (text: string) => `<script nonce="x">${text}</script>`;

const pageOf = (items: string) =>
  `<!doctype html><html><head>${script('var a = 1;')}</head><body><form><input name="q" value="glaciers"></form>
   <ol id="b_results">${items}</ol>${script('var b = 2;')}<footer></footer></body></html>`;

const page = pageOf(['a', 'b', 'c', 'd', 'e'].map(result).join(script('var c = 3;')));

const without = (from: string, to: string): string =>
  page.slice(0, page.indexOf(from) + from.length) + page.slice(page.lastIndexOf(to));

const torn = (html: string): boolean => isTorn(parseHtml(html));

describe('a page is torn if a part is missing', () => {
  test.each([
    ['from an attribute to a title', without('href="https://a', 'Glaciers of d')],
    ['from an attribute to a text', without('<h2><a href="https://a.ex', '<p>d')],
    ['from a title to a text', without('Glaciers of a', '<p>d')],
    ['from a script to a result', without('var c', '<h2><a href="https://d')],
    ['from a result to a script', without('Glaciers of a</a></h2>', 'var c')],
    ['from a text to the end of a link', without('<p>a', 'of d</a>')],
    ['from a box to a phrase', pageOf(`${result('a')}<li>text</b></span></li>${result('b')}`)],
  ])('%s', (_, html) => {
    expect(torn(page)).toBe(false);
    expect(torn(html)).toBe(true);
  });

  test('and its shorter ranking is refused', () => {
    const verdictOf = (html: string) => {
      const opened = bing.open(html);
      const fetch = { query: 'glaciers', device: 'desktop', fetchedAt: 1_773_144_000, status: 200 } as const;
      return opened.judge(opened.read('desktop'), {
        ...fetch,
        url: 'https://www.bing.com/search?q=glaciers',
      });
    };

    expect(verdictOf(page)).toBe('results');
    expect(verdictOf(without('Glaciers of a', '<p>d'))).toBe('unknown_layout');
  });
});

describe('a page is whole', () => {
  test.each([
    ['with items and paragraphs without end', page.replaceAll('</li>', '').replaceAll('</p>', '')],
    ['with an item that ends two spans too many', page.replace('<p>a', '<p>a</span></span>')],
    ['with titles whose link does not end', page.replaceAll('</a>', '')],
    ['with one box closed twice', page.replace('</footer>', '</footer></div></div>')],
    ['with a box that is not closed', page.replace('<footer>', '<div><footer>')],
    ['with its tags in capitals', page.replace(/<\/?\w+/g, (tag) => tag.toUpperCase())],
    ['with spaces in its end tags', page.replaceAll('</a>', '</a >')],
    ['with an end tag in a script', page.replace('var c = 3;', 'x.innerHTML = "</a></h2>";')],
    ['with a script in a script', page.replace('var c = 3;', String.raw`w('<script src="/x"><\/script>');`)],
    [
      'with an end tag in a style and in a title',
      page.replace('<head>', '<head><title></a></title><style></h2></style>'),
    ],
    [
      'with markup in an attribute and in a comment',
      page.replace(
        '<footer>',
        '<footer data-more="<script></a></span>" title=\'</h2>\'><!-- </a></script> -->',
      ),
    ],
    ['with a link in a link', page.replace('<footer>', '<footer><a href="/x"><span><b>x</a></span></b>')],
    ['with a quote too many in a tag', page.replace('<li class="b_algo">', '<li class="b_algo"">')],
    [
      'with markup as the text of a title',
      page.replace('Glaciers of a', '&lt;a class="x"&gt;&lt;/script&gt;'),
    ],
  ])('%s', (_, html) => {
    expect(html).not.toBe(page);
    expect(torn(html)).toBe(false);
  });
});
