/** Texts that were decoded with the wrong charset. */
import { describe, expect, test } from 'vitest';
import type { ResultItem } from '../../../lib/model/result.ts';
import { garbledText } from '../../../lib/serp/garbled.ts';

const item = (title: string, snippet = ''): ResultItem => ({
  type: 'organic',
  position: '1',
  absolute_position: 1,
  title,
  url: 'https://kiln.example/',
  breadcrumb: '',
  snippet,
});

const garbledIn = (...titles: string[]) =>
  garbledText({ left: titles.map((title) => item(title)), right: [] });

/** What a reader of single bytes makes of UTF-8. */
const singleBytes = (text: string, charset = 'windows-1252') =>
  new TextDecoder(charset).decode(Buffer.from(text, 'utf8')).replace(/\s+/g, ' ').trim();

const words = [
  'Café à la crème',
  'Der Töpfer von Ürzig',
  'L’été – déjà là',
  'Кофе и чай',
  '珈琲の歴史',
  'قهوه',
  '“Tea” €5',
  'Tea ☕ 🍵',
];

test.each(words)('%s as single bytes is garbled', (text) => {
  const garbled = singleBytes(text);

  expect(garbled).not.toBe(text);
  expect(garbledIn(garbled, 'Tea', garbled)).toBe(garbled);
});

test.each(words)('%s is not garbled', (text) => {
  expect(garbledIn(text, text, text)).toBeUndefined();
});

test.each(['île', 'Österreich', 'connaître', 'Ångström', 'août', 'клён'])(
  'one word is enough: %s',
  (word) => {
    expect(garbledIn(singleBytes(word), singleBytes(word))).toBe(singleBytes(word));
  },
);

test('capitals that may be garbled say nothing', () => {
  const [capitals, small] = [singleBytes('KÖLN'), singleBytes('Köln')];

  expect(garbledIn(capitals, capitals)).toBeUndefined();
  expect(garbledIn(capitals, capitals, small, small)).toBe(small);
});

test('signs that replace bytes are garbled', () => {
  expect(garbledIn('Caf\ufffd Luna', 'Tea', 'Cr\ufffdme')).toBe('Caf\ufffd Luna');
});

describe('the titles of the sites themselves', () => {
  test.each<[string, string[]]>([
    ['one title', ['Caf\ufffd Luna', 'Tea', 'More tea']],
    ['as many as whole ones', ['Caf\ufffd Luna', 'Cr\ufffdme', 'Café', 'Crème']],
    ['capitals before a quotation mark', ['«CAFÉ»', '«THÉ»', '«LE CAFÉ»']],
    ['capitals before a blank', ['AMANHÃ CEDO', 'MANHÃ CEDO']],
    ['a sign of Latin-1 alone', ['5 £', '20 °C', '© Kiln']],
    ['capitals before a trade mark', ['NESCAFÉ® Gold Blend', 'NESCAFÉ® Dolce Gusto']],
    ['capitals before an apostrophe', ['ROSÉ’s tour', 'ROSÉ’s album']],
    ['capitals before an ellipsis', ['LE CAFÉ…', 'LE THÉ…']],
    ['capitals before a dash', ['CAFÉ–BAR', 'CAFÉ—BAR']],
    ['a capital alone', ['Ö” is a word', 'É… talvez']],
    ['a sharp s before an apostrophe', ['Johann Strauß’ Walzer', 'Johann Strauß’ Polka']],
    ['a sharp s before an ellipsis', ['So macht Kochen Spaß…', 'Der Spaß… am Kochen']],
    ['a sharp s before a soft hyphen', ['Fuß\u00adball', 'Fuß\u00adweg']],
    ['small letters before two signs', ['Le café…»', 'Du thé…”']],
    ['none', []],
  ])('may be garbled: %s', (_, titles) => {
    expect(garbledIn(...titles)).toBeUndefined();
  });
});

test('the texts below the titles count, too', () => {
  const left = [item('Tea', singleBytes('déjà vu')), item('Café', 'Tea'), item('Tea', singleBytes('Crème'))];

  expect(garbledText({ left, right: [] })).toBe(singleBytes('déjà vu'));
});

test('a long hostile text takes no long time', () => {
  expect(garbledIn('Ã'.repeat(65_536), 'Ã '.repeat(32_768))).toBeUndefined();
});
