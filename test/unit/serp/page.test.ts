/** The tree of a page, and the limits that protect the parser against pages that are made to keep it busy. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Document, DomHandler, isTag, isText, type ParentNode } from 'domhandler';
import fc from 'fast-check';
import { Parser } from 'htmlparser2';
import { describe, expect, test } from 'vitest';
import { elementRules } from '../../../lib/serp/element-rules.ts';
import { parseHtml } from '../../../lib/serp/page.ts';
import { limits } from '../../../lib/serp/page-limits.ts';

test.each([
  ['deep', '<div>'.repeat(501)],
  ['long', '<b></b>'.repeat(50_001)],
  ['full of text', 'a</b>'.repeat(100_001)],
  ['full of forms', `<form>${'<form>'.repeat(200_001)}`],
  ['full of comments', '<!---->'.repeat(200_001)],
  ['full of attributes', `<b ${'a '.repeat(200_001)}>`],
])('a page that is too %s gives an empty tree', (_, html) => {
  const page = parseHtml(html);

  expect(page.root.children).toEqual([]);
  expect(page.html).toBe(html);
});

test.each([
  ['of the maximum depth', '<div>'.repeat(500)],
  ['of the maximum length', '<b></b>'.repeat(limits.elements)],
  ['that is cut off', '<div><a href="/x'],
])('a page %s gives a tree of its elements', (_, html) => {
  expect(parseHtml(html).root.children.length).toBeGreaterThan(0);
});

/**
 * The tree that htmlparser2 builds, without comments. If a page ends in a name like `<scr`, it takes the name
 * for a text.
 */
const plainTree = (html: string): Document => {
  const handler = new DomHandler();
  handler.oncomment = () => {};
  new Parser(handler).end(html.replace(/<[a-z]+$/i, ''));
  return handler.root;
};

const isPart = (name: string): boolean => elementRules.get(name)?.isPart === true;

/** Whether htmlparser2 ends a part of the layout by an end tag that browsers ignore there. */
const endsPartByStray = (html: string): boolean => {
  let isFound = false;
  let ended: string[] = [];
  const forget = (): void => {
    ended = [];
  };
  const parser = new Parser({
    onopentag: forget,
    ontext: forget,
    oncomment: forget,
    onclosetag: (name, isImplied) => {
      const isPhrase = name !== 'a' && !isPart(name);
      if (!isImplied)
        isFound ||= ended.some((inner) => (isPhrase ? isPart(inner) : name === 'div' && inner === 'ol'));
      if (isImplied) ended.push(name);
      else forget();
    },
  });
  parser.end(html);
  return isFound;
};

const itemNames: Record<string, string[]> = { li: ['li'], dd: ['dd', 'dt'], dt: ['dd', 'dt'] };

/** Whether an item of a list begins in a box or a phrase of the item before it, which browsers end there. */
const beginsInItem = (html: string): boolean => {
  let isFound = false;
  const open: string[] = [];
  const parser = new Parser({
    onopentag: (name) => {
      const parts = open.toReversed();
      const stop = parts.findIndex((part) => isPart(part) && elementRules.get(part)?.isBox !== true);
      const item = parts.findIndex((part) => itemNames[name]?.includes(part));
      isFound ||= item >= 0 && (stop < 0 || item <= stop);
      open.push(name);
    },
    onclosetag: (name) => open.splice(open.lastIndexOf(name), 1),
  });
  parser.end(html);
  return isFound;
};

/**
 * The elements and texts of a tree, but only the first character of a script or style. Names of SVG are in
 * lower case.
 */
const outlineOf = (top: ParentNode): unknown[] =>
  top.children.flatMap((node): unknown[] => {
    // An empty CDATA section is an empty text there.
    if (isText(node)) return node.data === '' ? [] : [node.data];
    if (!isTag(node)) return [node.type];
    const content = outlineOf(node);
    const isScript = /^(?:script|style)$/.test(node.name) && !node.children.some(isTag);
    const shown = isScript ? [...content.join('').trim().slice(0, 1)] : content;
    return [[node.name.toLowerCase(), { ...node.attribs }, shown]];
  });

const corpus = join(import.meta.dirname, '../../corpus/google/desktop');

/** Parts of pages, which may follow one another in any order. */
const fragments = [
  '<div>|</div>|<p>|</p>|<b id=a>|</b>|<br>|</br>|<a href="?a&amp;b" title=\'"\'>|</a>|<form action=/>|</form>|<li>|<ul>|</ul>|<h2>|<h3/>',
  '<svg>|<svg/>|</svg>|<path d="M0"/>|<title>|</title>|<desc>|</desc>|<image>|<math>|</math>|<mi>|<body>|<link>|<input/>|<IMG SRC=x>',
  '<script>|</script>|</SCRIPT >|<style>|</style|<textarea>|</textarea/>|<iframe>|</iframe>|<xmp>|</xmp>|<noscript>|</noscript>',
  '<!--|-->|--!>|<!-->|<!--->|<!x>|<!doctype html>|<!DOCTYPEx|<?x?>|<![CDATA[|]]>|</ x>|</>|<|</|<1|>|/|/>',
  '"|\'|=|&|&amp;|&copy|&#x41;|x| |\n|\t|A="1"|b=\'&lt\'|c=&gt;d|É=é|constructor=1|a|<Div CLASS="a b" class=c>',
  '<table>|<tr>|<td>|</td>|</table>|<option>|<select>|<dd>|<dt>|<button>|<h1>|<tbody>|<textarea>',
].flatMap((line) => line.split('|'));
/** Ends every tag and comment that may be open. */
const ending = '-->"\'>x';

describe('the tree is the one that htmlparser2 builds', () => {
  test('for any sequence of tags, texts, comments and signs', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...fragments), { maxLength: 40 }), (parts) => {
        const html = `${parts.join('')}${ending}`;
        // In a title, htmlparser2 does not decode a reference after the begin of a tag. Browsers do.
        fc.pre(!/<[/\w]*&/.test(html) && !endsPartByStray(html) && !beginsInItem(html));
        expect(outlineOf(parseHtml(html).root)).toEqual(outlineOf(plainTree(html)));
      }),
      { numRuns: 10_000 },
    );
  });

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
    '<svg><foreignObject><p>a<br/><title>&amp;</title></foreignObject><path d=""/></svg>b',
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

describe('an end tag ends nothing beyond its reach, as in browsers', () => {
  test.each([
    ['of a span behind a box', '<span><div>a</span>b</div>c</span>', '<span><div>ab</div>c</span>'],
    ['of an unknown element', '<g-card><p>a</g-card>b</p></g-card>c', '<g-card><p>ab</p></g-card>c'],
    [
      'of a box in a list of results',
      '<div><ol><li>a</div>b<li>c</ol></div>d',
      '<div><ol><li>ab</li><li>c</li></ol></div>d',
    ],
  ])('%s', (_, html, same) => {
    expect(outlineOf(parseHtml(html).root)).toEqual(outlineOf(plainTree(same)));
  });

  test.each([
    ['of a link behind a box', '<a><div>a</a>b'],
    ['of a box in a list of terms', '<div><ul><li>a</div>b'],
    ['of a section in a list of results', '<section><ol><li>a</section>b'],
    ['of a span in a span', '<span><b><span>a</span></span>b'],
  ])('but it does that %s', (_, html) => {
    expect(outlineOf(parseHtml(html).root)).toEqual(outlineOf(plainTree(html)));
  });
});

describe('the next item of a list ends the one before it, as in browsers', () => {
  test.each([
    [
      'with an open box',
      '<ol><li><div>a<li>b</li></div></li><li>c</ol>',
      '<ol><li><div>a</div></li><li>b</li><li>c</li></ol>',
    ],
    ['with an open phrase', '<ul><li><b>a<li>b</ul>', '<ul><li><b>a</b></li><li>b</li></ul>'],
    [
      'of definitions',
      '<dl><dt><div><p>a<dd>b<dt>c</dl>',
      '<dl><dt><div><p>a</p></div></dt><dd>b</dd><dt>c</dt></dl>',
    ],
  ])('%s', (_, html, same) => {
    expect(outlineOf(parseHtml(html).root)).toEqual(outlineOf(plainTree(same)));
  });

  test('but not if it is in a list of its own', () => {
    const html = '<ol><li><div><ul><li>a</li></ul></div><section><li>b</li></section></li></ol>';

    expect(outlineOf(parseHtml(html).root)).toEqual(outlineOf(plainTree(html)));
  });

  test('a page whose items have no list around them is refused after so many searches for one', () => {
    const { root } = parseHtml(`${'<div>'.repeat(400)}${'<li></li>'.repeat(10_000)}`);

    expect(root.children).toEqual([]);
  });
});

test('if a page ends inside a tag, no text from before the tag is repeated', () => {
  const { root } = parseHtml('<script>x</script><p>a<i>b</i </p');

  expect(outlineOf(root)).toEqual([
    ['script', {}, ['x']],
    ['p', {}, ['a', ['i', {}, ['b']]]],
  ]);
});
