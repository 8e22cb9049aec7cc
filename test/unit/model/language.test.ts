/** Language codes of requests: which an engine serves, and how they are spelled for it. */
import { expect, test } from 'vitest';
import { isEngineLanguage } from '../../../lib/model/engine.ts';
import { languageTag } from '../../../lib/model/language.ts';

test.each([
  '',
  'en',
  'EN',
  'de',
  'zh-CN',
  'zh-cn',
  'zh-TW',
  'zh-HK',
  'zh-Hans',
  'zh-Hant-TW',
  'pt-BR',
  'pt-PT',
  'pt_BR',
  'es-419',
  'en-US',
  'en-GB',
  'de-AT',
  'sr-Latn',
  'sr-ME',
  'iw',
  'he',
  'no',
  'nb',
  'nn',
  'tl',
  'fil',
  'jw',
  'jv',
  'in',
  'id',
  'haw',
  'ckb',
])('"%s" is a language of the engine', (code) => {
  expect(isEngineLanguage('google', code)).toBe(true);
});

test.each([
  ['the code of no language', 'xx'],
  ['a country instead of a language', 'us'],
  ['a country instead of a language', 'jp'],
  ['the name of a language', 'English'],
  ['three letters for two', 'deu'],
  ['a language that the engine does not serve', 'got'],
  ['a region that is no country', 'en-XX'],
  ['two languages', 'en,de'],
  ['a header', 'en;q=0.8'],
  ['an end without a region', 'en-'],
  ['white space', ' en'],
  ['other letters', 'ен'],
])('%s is refused: "%s"', (_, code) => {
  expect(isEngineLanguage('google', code)).toBe(false);
});

test.each([
  ['EN', 'en'],
  ['zh-cn', 'zh-CN'],
  ['pt_br', 'pt-BR'],
  ['zh-hant-tw', 'zh-Hant-TW'],
  ['ES-419', 'es-419'],
  // Not replaced by today's code: the engine knows the former one too.
  ['iw', 'iw'],
])('%s is spelled %s', (code, tag) => {
  expect(languageTag(code)).toBe(tag);
});
