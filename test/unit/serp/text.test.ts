import { expect, test } from 'vitest';
import { asciiDigits, tidy } from '../../../lib/serp/text.ts';

test.each([
  ['Persian words', 'می\u200cخواهم کتاب\u200cها'],
  ['a Hindi conjunct', 'क्\u200dष'],
  ['a Bengali sign before a joiner at the end of a word', 'বাক্\u200c এক'],
  ['a Malayalam letter with a joiner at the end', 'അവന്\u200d'],
  ['a family of emoji', '👨\u200d👩\u200d👧'],
  ['a flag of two emoji', '🏳️\u200d🌈'],
  ['an emoji with a skin colour', '👩🏽\u200d🔬'],
])('keeps the joiners of %s', (_, text) => {
  expect(tidy(text)).toBe(text);
});

test.each([
  ['direction marks', '\u200eClay\u200f \u202aShed\u202c \u2067kiln\u2069', 'Clay Shed kiln'],
  ['zero-width spaces and byte order marks', '\ufeffglaze\u200bbook\u2060s', 'glazebooks'],
  ['joiners in Latin words', 'clay\u200cshed\u200d.exam\u200cple', 'clayshed.example'],
  ['joiners beside a space', 'کتاب\u200c ها \u200dab', 'کتاب ها ab'],
  ['joiners at the ends', '\u200dkiln\u200c', 'kiln'],
  ['a joiner after a single emoji', '🔥\u200d kiln', '🔥 kiln'],
])('removes %s', (_, text, expected) => {
  expect(tidy(text)).toBe(expected);
});

test.each([
  ['Arabic', '٣٫٥ ١٬٢٠٨', '3.5 1,208'],
  ['Persian', '۰٫۴۱', '0.41'],
  ['Devanagari', '१२', '12'],
  ['Bengali', '১২', '12'],
  ['Thai', '๓๙', '39'],
  ['Burmese', '၀.၄၁', '0.41'],
  ['Khmer', '១២', '12'],
  ['Lao', '໑໒', '12'],
  ['Tamil', '௧௨', '12'],
  ['Gujarati', '૧૨', '12'],
  ['full-width', '３日前', '3日前'],
])('writes %s digits in ASCII', (_, text, expected) => {
  expect(asciiDigits(text)).toBe(expected);
});

test('leaves other numbers as they are', () => {
  expect(asciiDigits('2½ Ⅳ ②')).toBe('2½ Ⅳ ②');
});
