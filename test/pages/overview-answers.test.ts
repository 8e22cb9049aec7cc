/**
 * What becomes the text of a deferred AI overview: the text that a browser loaded on real pages does, and no
 * saved page of any engine does, whole or in part.
 */
import { textContent } from 'domutils';
import { parseDocument } from 'htmlparser2';
import { describe, expect, test } from 'vitest';
import { engineNames } from '../../lib/model/engine.ts';
import { findAll } from '../../lib/serp/dom.ts';
import { reader } from '../../lib/serp/google/reader.ts';
import { htmlOf, savedPages } from './saved-pages.ts';

const isPlace = ({ attribs }: { attribs: Record<string, string> }): boolean =>
  attribs['data-async-type'] === 'folsrch';

const googlePages = savedPages().map((row) => ({ ...row, html: htmlOf(row) }));

/** The pages whose overview has no text, but says where it is. */
const deferredPages = googlePages.flatMap(({ path, device, html }) => {
  const page = reader.open(html);
  const parsed = page.read(device);
  const deferred = page.deferred?.(parsed, device);
  return deferred ? [{ path, deferred, device }] : [];
});

/** The content of the place of an overview, as it is in the HTML of a page. */
const contentOf = (html: string): string[] => {
  const root = parseDocument(html, { withStartIndices: true, withEndIndices: true });
  return findAll(root, isPlace).map(({ children }) =>
    html.slice(children[0]?.startIndex ?? 0, (children.at(-1)?.endIndex ?? -1) + 1),
  );
};

const loadedTexts = googlePages.flatMap(({ path, html }) =>
  contentOf(html)
    .filter((content) => content.includes('m-x-content'))
    .map((content) => ({ path, content })),
);

test('there are pages with and without the text', () => {
  expect(deferredPages.length).toBeGreaterThanOrEqual(2);
  expect(loadedTexts.length).toBeGreaterThanOrEqual(5);
});

describe.each(deferredPages)('$path', ({ deferred, device }) => {
  test.each(loadedTexts)('shows the text of $path', ({ content }) => {
    const whole = reader.open(deferred.withAnswer(content) ?? '').read(device);
    const overview = whole.left.find(({ type }) => type === 'ai_overview');

    expect(overview?.state).toBe('present');
    expect(overview?.sources?.length).toBeGreaterThan(0);
    expect(textContent(parseDocument(content)).length).toBeGreaterThan(overview?.snippet?.length ?? 0);
  });

  test.each(engineNames)('takes no saved page of %s for a text', (engine) => {
    const taken = savedPages(engine).filter((row) => {
      const html = htmlOf(row);
      const body = html.slice(Math.max(0, html.indexOf('<body')));
      const inside = body.slice(body.indexOf('>') + 1, body.lastIndexOf('</body'));
      return [html, body, inside].some((answer) => deferred.withAnswer(answer) !== undefined);
    });

    expect(taken.map(({ path }) => path)).toEqual([]);
  });
});
