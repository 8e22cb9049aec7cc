/** Other forms of a word, as results may write it: plurals, and numbers in Roman numerals. */

const plurals: [form: RegExp, other: string][] = [
  [/(?<=\p{L}{2})ies$/u, 'y'],
  [/(?<=\p{L}[^aeiou])y$/u, 'ies'],
  [/(?<=\p{L}(?:[sxz]|[cs]h))es$/u, ''],
  [/(?<=[sxz])$/, 'es'],
  [/(?<=\p{L}{2}[^s])s$/u, ''],
  // Most abbreviations of three letters are no plurals: `gps`, `dns`.
  [/(?<=^(?:tv|pc|cd|dj))s$/, ''],
];

/** Words that are no plurals of the word before their last letter. */
const singulars = new Set(['arms', 'lens', 'mars', 'news', 'odds']);

const romanDigits: [value: number, numeral: string][] = [
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
];

const romanOf = (value: number): string => {
  const [digit, numeral] = romanDigits.find(([one]) => one <= value) ?? [];
  return digit === undefined ? '' : `${numeral}${romanOf(value - digit)}`;
};

/** Kings, wars and parts of a work are counted up to here. */
const highest = 39;

const numerals = new Map(
  Array.from({ length: highest - 1 }, (_, index) => [romanOf(index + 2), index + 2] as const),
);

/** A numeral that is no word by itself, as `vi` and `mix` are. */
const plainNumeral = /^x{0,3}v?i{2,3}$/;

/** `xi` and `xx` are names, and `xxx` is a word. */
const isLongNumeral = (numeral: string): boolean => numeral.length > 2 && numeral !== 'xxx';

const otherNumberOf = (word: string): string[] => {
  if (plainNumeral.test(word)) return [String(numerals.get(word))];
  const value = /^[1-9]\d$/.test(word) ? Number(word) : 0;
  const numeral = value <= highest ? romanOf(value) : '';
  return plainNumeral.test(numeral) || isLongNumeral(numeral) ? [numeral] : [];
};

/** The other forms of a folded word that are whole words. */
export const otherFormsOf = (word: string): string[] => [
  ...plurals.flatMap(([form, other]) =>
    form.test(word) && !singulars.has(word) ? [word.replace(form, other)] : [],
  ),
  ...otherNumberOf(word),
];
