/** The tree of a page, and the limits that protect the parser against pages that are made to keep it busy. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Document, DomHandler, isTag, isText, type ParentNode } from 'domhandler';
import { Parser } from 'htmlparser2';
import { describe, expect, test } from 'vitest';
import { parseHtml } from '../../../lib/serp/page.ts';

test.each([
  ['deep', '<div>'.repeat(501)],
  ['long', '<b></b>'.repeat(50_001)],
  ['full of text', 'a<1'.repeat(200_001)],
  ['full of comments', '<!---->'.repeat(200_001)],
  ['full of attributes', `<b ${'a '.repeat(200_001)}>`],
])('a page that is too %s gives an empty tree', (_, html) => {
  const page = parseHtml(html);

  expect(page.root.children).toEqual([]);
  expect(page.html).toBe(html);
});

test.each([
  ['of the maximum depth', '<div>'.repeat(500)],
  ['of the maximum length', '<b></b>'.repeat(50_000)],
  ['that is cut off', '<div><a href="/x'],
])('a page %s gives a tree of its elements', (_, html) => {
  expect(parseHtml(html).root.children.length).toBeGreaterThan(0);
});

/** The tree of the parser without our shortcuts, and without comments. */
const plainTree = (html: string): Document => {
  const handler = new DomHandler();
  handler.oncomment = () => {};
  new Parser(handler).end(html);
  return handler.root;
};

/** The elements and texts of a tree, but only the first character of a script or style. */
const outlineOf = (top: ParentNode): unknown[] =>
  top.children.map((node) => {
    if (isText(node)) return node.data;
    if (!isTag(node)) return node.type;
    const content = outlineOf(node);
    const isScript = /^(?:script|style)$/.test(node.name) && !node.children.some(isTag);
    return [node.name, { ...node.attribs }, isScript ? [...content.join('').trim().slice(0, 1)] : content];
  });

const corpus = join(import.meta.dirname, '../../corpus/google/desktop');

describe('the tree is the one that the parser gives without shortcuts', () => {
  test.each([
    '<p>a &amp; b &copy c &#38; &notit; &</p>',
    '<a href="?a=1&amp;b&copy=2&lt;&quot" title=\'&eacute\' data-x=&amp;>x</a>',
    '<script>if (a && b) "&amp;<\\/script>"</script><b>x</b>',
    '<script>  \n </script><style></style><script>\n\n <!-- x</script >y',
    '<script src="a>b">x</script><SCRIPT\n>y</Script\n>z',
    '<scripted>a &amp; b</scripted><script>x</scripted></script>y',
    '<textarea>a &amp; <script>b</script></textarea><title><style>&lt;</style></title>',
    '<!-- <script> --> <b title="<script>">&amp;</b> <![CDATA[<style>]]>',
    '<svg><script>a &amp; <b>c</b></script><style>x</style></svg><iframe>&amp;</iframe><xmp>&amp;</xmp>',
    '<script><script></script>x</script>',
    '<p>a<!-- b -->c</p><!-- d --><i>e</i><!-- <p>f</p> --> g<!---->h',
    '<p><!-->a<!--->b<!-- -- -->c<!----->d',
    '<p><!-- a --!>b<!-- c --> --!>d',
    'a <!-- b ><!-- c --> d <i>e</i> --> f',
    '<b title="><!-- a" id=b>c --> d</b><i title=><!-- e -->f</i>',
    '<title>a ><!-- b --></title><textarea>><!-- c</textarea> --> d',
    '<svg><desc><!-- a --></desc><![CDATA[ ><!-- b ]]> --> c</svg><!-- d -->e',
    '</p ><!-- a -->b</p title=">"><!-- c',
    '<script>a',
    '<script>',
    '<style>a</style',
    'a<',
    '<b>a</b',
    'a<script',
  ])('%j', (html) => {
    expect(outlineOf(parseHtml(html).root)).toEqual(outlineOf(plainTree(html)));
  });

  test.each(readdirSync(corpus))('%s, cut off anywhere', (name) => {
    const html = readFileSync(join(corpus, name, 'page.html'), 'utf8');
    for (let end = html.length; end > 0; end -= 97) {
      const cut = html.slice(0, end);
      expect(outlineOf(parseHtml(cut).root)).toEqual(outlineOf(plainTree(cut)));
    }
  });
});

test('if a page ends inside a tag, no text from before the tag is repeated', () => {
  const { root } = parseHtml('<script>x</script><p>a<i>b</i </p');

  expect(outlineOf(root)).toEqual([
    ['script', {}, ['x']],
    ['p', {}, ['a', ['i', {}, ['b']]]],
  ]);
});
