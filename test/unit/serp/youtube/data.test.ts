/** The data of a page, in every form in which a page contains it, and in none. */
import { expect, test } from 'vitest';
import { readData } from '../../../../lib/serp/youtube/data.ts';
import type { JsonObject } from '../../../../lib/serp/youtube/json.ts';
import { reader } from '../../../../lib/serp/youtube/reader.ts';

const data: JsonObject = {
  title: 'a "quoted" {brace} \\ "};',
  list: [{ n: 1 }, null, 'х☕'],
  nested: { deep: {} },
};
const json = JSON.stringify(data);
const escaped = [...json]
  .map((letter) =>
    /[{}[\]":]/.test(letter) ? `\\x${letter.charCodeAt(0).toString(16)}` : letter.replace('\\', '\\\\'),
  )
  .join('');

test.each([
  ['a script that only assigns it', `<script>var ytInitialData = ${json};</script></html>`],
  ['no semicolon', `<script nonce="a">var ytInitialData = ${json}</script>`],
  ['white space', `<script>\n  var ytInitialData\n =\n ${json} ;\n</script>`],
  ['the older form', `<script>window["ytInitialData"] = ${json};\nwindow["other"] = {"a":1};</script>`],
  ['other statements after it', `<script>var ytInitialData = ${json};if(a){b({});}</script>`],
  [
    'other assignments before it',
    `<script>ytInitialData = {};a.ytInitialData = null; var ytInitialData = ${json};</script>`,
  ],
  ['a string', `<script>var ytInitialData = '${escaped}';</script>`],
  [
    'a call that parses it',
    `<script>window["ytInitialData"] = JSON.parse("${JSON.stringify(json).slice(1, -1)}");</script>`,
  ],
  ['a string and other statements', `<script>var ytInitialData = '${escaped}';var a = 'b';</script>`],
  ['a comment that ends before it', `<!-- a --><script>var ytInitialData = ${json};</script>`],
  ['a template that ends before it', `<template><p>a</p></template><script>ytInitialData = ${json}</script>`],
  ['signs of a comment in a script', `<script>a = "<!--";</script><script>ytInitialData = ${json}</script>`],
  ['a tag in a script', `<script>a = "<template>";</script><script>ytInitialData = ${json}</script>`],
  [
    'a form in a template before its own',
    `<template><script>ytInitialData = {"b":1}</script></template>
    <script>ytInitialData = ${json}</script>`,
  ],
  ['no HTML', json],
  ['no HTML, but white space', `\n ${json}\n`],
])('reads data with %s', (_, body) => {
  expect(readData(body)).toEqual(data);
});

test.each([
  ['an empty body', ''],
  ['HTML without data', '<html><body>ytInitialData</body></html>'],
  ['data that is cut off', `<script>var ytInitialData = ${json.slice(0, -2)}`],
  ['data that is cut off in a string', `<script>var ytInitialData = {"a": "b\\"`],
  ['a string that is cut off', `<script>var ytInitialData = '${escaped.slice(0, -3)}`],
  ['a list', '<script>var ytInitialData = [];</script>'],
  ['an empty object', '<script>var ytInitialData = {};</script>'],
  ['JSON that is cut off', json.slice(0, -1)],
  ['JSON of another kind', '[1, 2]'],
])('finds no data in %s', (_, body) => {
  expect(readData(body)).toBeNull();
});

test.each([
  ['a comment', '<!--', '-->'],
  ['a comment that does not end', '<!--', ''],
  ['a comment around several scripts', '<!--<script>a()</script>', '-->'],
  ['a template', '<template>', '</template>'],
  ['a template with attributes', '<TEMPLATE id="a">', '</template>'],
  ['an element for browsers without scripts', '<noscript>', '</noscript>'],
  ['a text field', '<textarea name="a">', '</textarea>'],
])('reads no data in %s: its scripts do not run', (_, begin, end) => {
  expect(readData(`<body>${begin}<script>var ytInitialData = ${json};</script>${end}</body>`)).toBeNull();
});

test.each([
  ['deep objects', `{"a":${'{"a":'.repeat(200_000)}1${'}'.repeat(200_001)}`],
  ['deep lists', `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`],
  ['braces that nothing closes', `<script>var ytInitialData = ${'{'.repeat(300_000)}</script>`],
  ['many assignments', `<script>${'ytInitialData = {"a'.repeat(20_000)}</script>`],
  ['many backslashes', `<script>ytInitialData = {"${'\\'.repeat(300_000)}"</script>`],
  ['ads in ads', `{"a":${'{"adSlotRenderer":{"a":[{},{}],"b":'.repeat(20_000)}1${'}}'.repeat(20_000)}}`],
  [
    'cards in cards',
    `{"a":${'{"overlayMetadata":{"a":[{}],"cards":['.repeat(20_000)}1${']}}'.repeat(20_000)}}`,
  ],
  [
    'keys of the language',
    '{"__proto__": {"videoId": "abcdefghijk"}, "constructor": {"title": 1}, "hasOwnProperty": 1}',
  ],
  [
    'fields of other types',
    '{"videoRenderer": {"videoId": 1, "title": [], "runs": {}}, "lockupViewModel": {"contentId": "x", "contentType": "_VIDEO"}}',
  ],
])('a page with %s gives no items', (_, body) => {
  const page = reader.open(body);
  const parsed = page.read('desktop');

  expect([...parsed.left, ...parsed.right]).toEqual([]);
  expect(page.judge(parsed, { query: 'a', device: 'desktop', fetchedAt: 0, status: 200, url: '' })).toBe(
    'unknown_layout',
  );
});
