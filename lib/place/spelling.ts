/**
 * Spellings of place names: the one of the table, in ASCII as the engines' own lists, and the one in which
 * names are compared.
 */

/** Latin letters that Unicode does not decompose, and typographic signs. */
const plain: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  Æ: 'Ae',
  œ: 'oe',
  Œ: 'Oe',
  ø: 'o',
  Ø: 'O',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  þ: 'th',
  Þ: 'Th',
  ħ: 'h',
  Ħ: 'H',
  ł: 'l',
  Ł: 'L',
  ı: 'i',
  ə: 'a',
  Ə: 'A',
  '–': '-',
  '—': '-',
};

/** The text without diacritics. Letters of other scripts stay. */
export const toPlain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[‘’ʻʼʽʿʾ`´]/g, "'")
    .replace(/[^\0-\x7f]/g, (letter) => plain[letter] ?? letter);

/** Names that differ only in case, diacritics and white space become equal. */
export const toKey = (text: string): string => toPlain(text).toLowerCase().replace(/\s+/g, ' ').trim();
