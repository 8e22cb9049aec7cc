/** The text encoding of a page. */
import { expect, test } from 'vitest';
import { decodeText } from '../../../lib/net/charset.ts';

const latin = (text: string) => Buffer.from(text, 'latin1');
const utf8Bom = Buffer.from([0xef, 0xbb, 0xbf]);
const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();

const page = '<p>Müsli €</p>';
// 0x80 is the euro sign in windows-1252, but a control character in ISO 8859-1.
const page1252 = Buffer.concat([latin('<p>Müsli '), Buffer.from([0x80]), latin('</p>')]);

const cases: [name: string, bytes: Buffer, contentType: string, text: string][] = [
  ['UTF-8 by header', Buffer.from(page), 'text/html; charset=utf-8', page],
  ['UTF-8 by quoted header', Buffer.from(page), 'text/html;charset="UTF-8"', page],
  ['windows-1252 by header', page1252, 'text/html; charset=windows-1252', page],
  ['ISO 8859-1 means windows-1252', page1252, 'text/html; charset=ISO-8859-1', page],
  ['no label, valid UTF-8', Buffer.from(page), 'text/html', page],
  ['no label, not UTF-8', page1252, 'text/html', page],
  ['no content type', page1252, '', page],
  ['ignores an unknown label', Buffer.from(page), 'text/html; charset=klingon', page],
  [
    'the BOM overrides the header',
    Buffer.concat([utf8Bom, Buffer.from(page)]),
    'text/html; charset=latin1',
    page,
  ],
  ['UTF-16 LE by BOM', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(page, 'utf16le')]), '', page],
  ['UTF-16 BE by BOM', Buffer.concat([Buffer.from([0xfe, 0xff]), utf16be(page)]), '', page],
  ['UTF-16 LE by header', Buffer.from(page, 'utf16le'), 'text/html; charset=utf-16le', page],
  [
    'the header overrides the meta',
    Buffer.from(`<meta charset=latin1>${page}`),
    'text/html; charset=utf-8',
    `<meta charset=latin1>${page}`,
  ],
  ['Shift_JIS by header', Buffer.from([0x93, 0xfa, 0x96, 0x7b]), 'text/html; charset=Shift_JIS', '日本'],
  ['EUC-KR by header', Buffer.from([0xc7, 0xd1]), 'text/html; charset=euc-kr', '한'],
  ['GBK by header', Buffer.from([0xd6, 0xd0]), 'text/html; charset=gb2312', '中'],
  ['broken UTF-8 by header', Buffer.from([0x61, 0xff, 0x62]), 'text/html; charset=utf-8', 'a\ufffdb'],
  ['an empty page', Buffer.alloc(0), 'text/html', ''],
];

test.each(cases)('%s', (_, bytes, contentType, text) => {
  expect(decodeText(bytes, contentType)).toBe(text);
});

test.each([
  '<meta charset="windows-1251">',
  '<meta charset=windows-1251>',
  "<META CHARSET='windows-1251'/>",
  '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">',
  '<!-- <meta charset="utf-8"> --><meta charset="cp1251">',
  `<script>${' '.repeat(2000)}</script><meta charset="windows-1251">`,
])('by meta: %s', (meta) => {
  const bytes = Buffer.concat([latin(meta), Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2])]);
  expect(decodeText(bytes, 'text/html')).toBe(`${meta}Привет`);
});

test('ignores a meta that says UTF-16, because the meta itself is not UTF-16', () => {
  const bytes = Buffer.from('<meta charset="utf-16">Größe');
  expect(decodeText(bytes, 'text/html')).toBe('<meta charset="utf-16">Größe');
});

const greeting = Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]);
const isRead = (bytes: Buffer, contentType = 'text/html') =>
  decodeText(bytes, contentType).endsWith('Привет');

test.each([
  ['text/html;charset=windows-1251', true],
  ['text/html ; charset = windows-1251', true],
  ['text/html; CHARSET=windows-1251; boundary=x', true],
  ["text/html; charset=' windows-1251'", true],
  ['text/html; charset=windows-1251;x', true],
  ['text/html charset=windows-1251', false],
  ['text/html; xcharset=windows-1251', false],
  ['text/html; charset=', false],
])('the header %j names windows-1251: %s', (contentType, expected) => {
  expect(isRead(greeting, contentType)).toBe(expected);
});

test.each([
  ['<meta charset=windows-1251 >', true],
  ['<meta\ncharset = " windows-1251">', true],
  ["<meta name=x charset='windows-1251' y>", true],
  ['<meta content="text/html; charset=windows-1251;x">', true],
  ['<metadata charset=windows-1251>', false],
  ['<meta name=x>charset=windows-1251', false],
  ['<meta name=x>charset=windows-1251>', false],
  ['<meta name=viewport><meta charset=windows-1251>', true],
  ['<!-- a\n<meta charset=windows-1251> -->', false],
  ['<!-- a --><meta charset=windows-1251><!-- b -->', true],
  ['<meta charset="">', false],
])('%j names windows-1251: %s', (meta, expected) => {
  expect(isRead(Buffer.concat([latin(meta), greeting]))).toBe(expected);
});

test.each([
  [0, true],
  [1, false],
])('a meta is looked for in 4,096 bytes: %i bytes too late: %s', (more, expected) => {
  const meta = '<meta charset=cp1251>';
  const label = meta.indexOf('>');
  const before = ' '.repeat(4096 - label + more);

  // The last digit is cut off: cp125 is not known.
  expect(isRead(Buffer.concat([latin(before + meta), greeting]))).toBe(expected);
});

test.each(['utf-16', 'UTF16', 'utf-16be', 'utf16le'])('a meta of UTF-8 that says %s is ignored', (label) => {
  const text = `<meta charset=${label}>Größe`;

  expect(decodeText(Buffer.from(text), '')).toBe(text);
});

test('bytes that are no text in their charset are an error if the caller wants it', () => {
  const broken = Buffer.from([0x61, 0xff]);

  expect(() => decodeText(broken, 'text/html; charset=utf-8', true)).toThrow(TypeError);
  expect(decodeText(broken, 'text/html; charset=utf-8')).toBe('a\ufffd');
});

test('broken text whose meta says UTF-16 is UTF-8; a label that browsers do not know is ignored', () => {
  const textWith = (label: string) =>
    decodeText(Buffer.concat([latin(`<meta charset=${label}>`), Buffer.from([0x80])]), '').slice(-1);

  expect(textWith('utf-16')).toBe('\ufffd');
  expect(textWith('utf16')).toBe('€');
});

test.each([[[0xef, 0xbb]], [[0xfe]], [[0xff]], [[0xbf, 0xbb, 0xef]]])('the bytes %j are no mark', (bytes) => {
  const packed = Buffer.concat([Buffer.from(bytes), greeting]);

  expect(decodeText(packed, 'text/html; charset=windows-1251')).toMatch(/^.+Привет$/);
});

test('another meta whose label only begins like UTF-16 counts', () => {
  const meta = '<meta charset=x-utf-16>';
  expect(decodeText(Buffer.concat([latin(meta), Buffer.from([0xe9])]), '')).toBe(`${meta}é`);
});
