/** The frame of a page of the documentation: which pages it leads to. */
import { expect, test } from 'vitest';
import { render } from '../../../lib/docs/markdown.ts';
import { documentOf } from '../../../lib/docs/page.ts';
import { pageNames } from '../../../lib/reference/pages.ts';
import { base } from '../../../lib/reference/placeholders.ts';

const pages = Object.fromEntries(
  pageNames.map((name) => [name, render(name, `# Title of ${name}\n\nIt says "yes" & more.\n`)]),
) as Parameters<typeof documentOf>[0];

/** The pages before and after a page. */
const neighboursOf = (name: (typeof pageNames)[number]) =>
  [
    ...documentOf(pages, name).matchAll(
      /<a class="(Previous|Next)" href="([^"]+)"><span>\1<\/span> (.*?)<\/a>/g,
    ),
  ].map(([, kind, address = '', title]) => `${kind}: ${address.replace(base, '/')}, ${title}`);

test('a page leads to those before and after it in the navigation', () => {
  expect(neighboursOf('index')).toEqual(['Next: /docs/quick-start, Title of quick-start']);
  expect(neighboursOf('quick-start')).toEqual([
    'Previous: /docs, Title of index',
    'Next: /docs/search, Title of search',
  ]);
  expect(neighboursOf('existing-clients')).toEqual(['Previous: /docs/agents, Title of agents']);
});

test('following the pages leads through all of them', () => {
  const seen = ['index'];
  for (let next = 'index'; next !== ''; ) {
    const [, to = ''] = /Next: \/docs\/([\w-]+)/.exec(neighboursOf(next as 'index').join()) ?? [];
    if (to !== '') seen.push(to);
    next = to;
  }

  expect(seen.toSorted()).toEqual([...pageNames].sort());
});

test('the navigation marks the page itself, and the description is an attribute', () => {
  const html = documentOf(pages, 'search');

  expect(html.match(/<a href="[^"]*" aria-current="page">/g)).toEqual([
    `<a href="${base}docs/search" aria-current="page">`,
    `<a href="${base}docs/search" aria-current="page">`,
  ]);
  expect(html).toContain('<meta name="description" content="It says &quot;yes&quot; &amp; more.">');
});
