/**
 * Real pages whose links this test hides, as the engine does since August 2026. All saved pages are older
 * than that.
 */
import { describe, expect, test } from 'vitest';
import type { ResultItem } from '../../lib/model/result.ts';
import { reader } from '../../lib/serp/google/reader.ts';
import { htmlOf, type Row, readRow, savedPages } from './saved-pages.ts';

const whole = savedPages().filter(({ verdict }) => verdict === 'results');

const unescaped = (attribute: string): string =>
  attribute
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

const engine = /^https?:\/\/(?:www|maps|support|policies|accounts|consent)\.google\./;

/** Hides every external link, in `href` and in `ping`. Returns the page and the target of each token. */
const hide = (html: string) => {
  const targets: Record<string, string> = {};
  const hidden = html.replace(/<a\b[^>]*>/g, (tag) => {
    const href = /\shref="(https?:\/\/[^"]*)"/.exec(tag)?.[1];
    if (!href || engine.test(href)) return tag;
    const token = `/goto?url=CAES${String(Object.keys(targets).length).padStart(24, 'x')}`;
    targets[`https://www.google.com${token}`] = unescaped(href).replace(/#:~:text=.*$/, '');
    return tag.replace(`href="${href}"`, `href="${token}"`).replace(/\sping="[^"]*"/, ` ping="${token}"`);
  });
  return { hidden, targets };
};

const organics = (items: ResultItem[]) => items.filter(({ type }) => type === 'organic');
/** The fields that do not depend on other blocks of the page. */
const read = ({ type, position, title, url, domain, breadcrumb, snippet, date, sitelinks }: ResultItem) => ({
  type,
  position,
  title,
  url,
  domain,
  breadcrumb,
  snippet,
  date,
  sitelinks,
});

describe.each(whole)('$path', (row: Row) => {
  const html = htmlOf(row);
  const plain = organics(readRow(row, html).left);
  const { hidden, targets } = hide(html);

  test('has as many results with hidden links, and none with a wrong address', () => {
    const { verdict, left } = readRow(row, hidden);

    expect(verdict).toBe('results');
    expect(organics(left).map(({ title }) => title)).toEqual(plain.map(({ title }) => title));
    const shown = organics(left).map(({ url, url_resolution }, n) =>
      url_resolution === 'opaque' ? plain[n]?.url : url,
    );
    expect(shown).toEqual(plain.map(({ url }) => url));
  });

  test('gives the same results after the links were looked up', () => {
    const wanted = reader.hiddenLinks.of(reader.open(hidden).read(row.device));
    const { left } = reader
      .open(hidden, (link) => (wanted.includes(link) ? targets[link] : undefined))
      .read(row.device);

    expect(organics(left).map(read)).toEqual(plain.map(read));
  });
});
