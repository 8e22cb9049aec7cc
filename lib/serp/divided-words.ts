/** Recognizes a word that a text writes in several: `gpt5` in `GPT-5`, `1000` in `1,000`. */

/** A text writes a word in at most so many parts. */
const maxParts = 3;

const follows = (words: string[], at: number, rest: string, parts: number): boolean => {
  if (rest === '') return true;
  const part = words[at];
  if (parts === 0 || part === undefined || !rest.startsWith(part)) return false;
  return follows(words, at + 1, rest.slice(part.length), parts - 1);
};

/** A number of a thousand or more, with its thousands apart. */
const thousands = /^(\p{N})(\p{N}{3})$/u;

/** A name of letters before a number. A text may write the name in full: `win11` is `Windows 11`. */
const numbered = /^(\p{L}{3,})(\p{N}+)$/u;

/**
 * Whether neighbours in a list of words are together one word with a digit, or its name in full and its
 * number. Words of letters only are not looked up: `to day` would be `today`. Of numbers, only thousands.
 */
export const isDividedIn = (words: string[], word: string): boolean => {
  const [, thousand, rest] = thousands.exec(word) ?? [];
  if (thousand !== undefined) return words.some((first, at) => first === thousand && words[at + 1] === rest);
  if (!/\p{N}/u.test(word) || !/\p{L}/u.test(word)) return false;
  const [, name = '', number] = numbered.exec(word) ?? [];
  return words.some(
    (first, at) =>
      follows(words, at, word, maxParts) ||
      (name !== '' && words[at + 1] === number && first.startsWith(name)),
  );
};

/** A hyphen, a dot or an apostrophe between two letters or digits. */
const within = /(?<=[\p{L}\p{N}])[-\u2010-\u2013.'\u2019·](?=[\p{L}\p{N}])/gu;

/** A text in which words with hyphens, dots and apostrophes are one word: `wi-fi` is `wifi`. */
export const withoutHyphens = (text: string): string => text.replace(within, '');
