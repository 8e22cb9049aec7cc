import { expect, test } from 'vitest';
import { inEitherCase } from '../../../lib/model/either-case.ts';

test.each([
  ['İstanbul ISPARTA ıhlamur', ['istanbul isparta ihlamur', 'ISTANBUL', 'ısparta', 'IHLAMUR', 'İSPARTA']],
  ['Straße', ['strasse', 'STRASSE', 'STRAẞE', 'straße']],
  ['ΣΟΦΌΣ', ['σοφός', 'ΣΟΦΌΣ', 'σοφόσ']],
  ['Caf\u00e9', ['cafe\u0301', 'CAFE\u0301', 'CAF\u00c9']],
  ['قهوة コーヒー', ['قهوة', 'コーヒー']],
])('%s is found by each of its spellings', (text, searches) => {
  const missed = searches.filter((search) => !inEitherCase(text).includes(inEitherCase(search)));

  expect(missed).toEqual([]);
});

test('other letters stay other letters', () => {
  expect(inEitherCase('Tea für ÄÖ')).toBe('tea für äö');
});
