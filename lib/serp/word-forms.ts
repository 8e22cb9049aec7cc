/** Other forms of a word, as results may write it: plurals, and numbers in Roman numerals. */

const plurals: [form: RegExp, other: string][] = [
  [/(?<=\p{L}{2})ies$/u, 'y'],
  [/(?<=\p{L}[^aeiou])y$/u, 'ies'],
  [/(?<=\p{L}(?:[sxz]|[cs]h))es$/u, ''],
  [/(?<=[sxz])$/, 'es'],
  [/(?<=\p{L}{2}[^s])s$/u, ''],
  // Of three letters, only those that are no word by themselves: `tvs`, not `ios`.
  [/(?<=^[^aeiou\P{L}]{2})s$/u, ''],
];

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

const otherNumberOf = (word: string): string[] => {
  if (plainNumeral.test(word)) return [String(numerals.get(word))];
  const value = /^[1-9]\d$/.test(word) ? Number(word) : 0;
  const numeral = value <= highest ? romanOf(value) : '';
  return numeral.length > 1 ? [numeral] : [];
};

/** The other forms of a folded word that are whole words. */
export const otherFormsOf = (word: string): string[] => [
  ...plurals.flatMap(([form, other]) => (form.test(word) ? [word.replace(form, other)] : [])),
  ...otherNumberOf(word),
];
