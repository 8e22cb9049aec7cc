/** Letters in place of those of a page. The words mean nothing: no reader may depend on them. */

type Alphabet = { name: string; language: string; word: (word: string) => string };

const shifted =
  (first: string, count: number) =>
  (word: string): string =>
    word.replace(/\p{L}/gu, (letter) =>
      String.fromCodePoint((first.codePointAt(0) ?? 0) + ((letter.codePointAt(0) ?? 0) % count)),
    );

const arabicDigits = (text: string): string =>
  text.replace(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit)));

export const alphabets: Alphabet[] = [
  { name: 'Cyrillic', language: 'ru', word: shifted('а', 32) },
  { name: 'Arabic', language: 'ar', word: (word) => arabicDigits(shifted('ع', 18)(word)) },
  {
    name: 'Han',
    language: 'zh',
    word: (word) => shifted('一', 4000)(word.slice(0, Math.ceil(word.length / 3))),
  },
];
