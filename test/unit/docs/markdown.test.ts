/**
 * A page of `docs/api` as HTML: nothing of its text is markup, and its links lead to the pages for people.
 */
import { expect, test } from 'vitest';
import { render } from '../../../lib/docs/markdown.ts';
import { base } from '../../../lib/reference/placeholders.ts';

const htmlOf = (markdown: string): string => render('page', `# Title\n\n${markdown}\n`).html;

test.each([
  ['search.md', `${base}docs/search`],
  ['search.md#the-fields', `${base}docs/search#the-fields`],
  ['index.md', `${base}docs`],
  ['index.md#all', `${base}docs#all`],
  ['#here', '#here'],
  ['https://example.com/a.md', 'https://example.com/a.md'],
  ['https://example.com/?a=1&b=2', 'https://example.com/?a=1&amp;b=2'],
])('a link to %s leads to %s', (to, address) => {
  expect(htmlOf(`See [this page](${to}).`)).toContain(`<a href="${address}">this page</a>`);
});

test('the text of a code block is no markup, and the block is named by its language and its heading', () => {
  const html = htmlOf('## Names & "quotes"\n\n```json\n{"a": "<b>&amp;</b>"}\n```');

  expect(html).toContain('<code>{&quot;a&quot;: &quot;&lt;b&gt;&amp;amp;&lt;/b&gt;&quot;}</code>');
  expect(html).toContain('aria-label="JSON: Names &amp; &quot;quotes&quot;"');
});

test('a comment is left out, and any other HTML is an error that names the page', () => {
  expect(htmlOf('<!-- table: nothing -->\n\nText')).not.toContain('<!--');
  expect(() => htmlOf('<script>run()</script>')).toThrow('page: HTML that is no comment: <script>');
  expect(() => htmlOf('A <b>word</b>.')).toThrow('page: HTML that is no comment: <b>');
});

test('a code block in a language without a name is an error', () => {
  expect(() => htmlOf('```cobol\nSTOP RUN.\n```')).toThrow(
    'page: a code block in "cobol", which has no name',
  );
});

test('a section has its heading, its anchor, its text without markup, and what its tables define', () => {
  const { title, summary, sections } = render(
    'page',
    '# Title\n\nIt has `code` & more.\n\n## A part\n\nText.\n\n| field | type |\n|---|---|\n| `name` | text |\n\n## A part\n\nAgain.\n',
  );

  expect([title, summary]).toEqual(['Title', 'It has code & more.']);
  expect(sections).toMatchObject([
    { page: 'page', title: 'Title', heading: '', anchor: '', text: 'It has code & more.' },
    { heading: 'A part', anchor: 'a-part', names: 'name', text: 'Text. field type name text' },
    { heading: 'A part', anchor: 'a-part-1', text: 'Again.' },
  ]);
});
