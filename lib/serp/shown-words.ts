/** Tests whether a result shows a word of the query: itself, another form of it, or its initials. */
import { getDomainWithoutSuffix } from 'tldts';
import type { ResultItem } from '../model/result.ts';
import { decoded } from './link.ts';
import { once } from './page-cache.ts';
import type { Term } from './query-parts.ts';
import { fold } from './text.ts';

/** What a result shows, in the forms in which words are looked up. */
type Shown = {
  /** Title, text and address. */
  text: string;
  words: ReadonlySet<string>;
  /** The words of title and text, and the name in the host: an address has short words of its own. */
  shortWords: ReadonlySet<string>;
  /** The letters and digits of the text only: `net worth` has `networth`. */
  joined: string;
  /** The first letters of the words with a capital, and of the parts of a word such as `JavaScript`. */
  initials: string;
  camels: ReadonlySet<string>;
};

/** Of a longer title, text or address, only the beginning is compared. */
const longestPart = 600;

const sign = '[\\p{L}\\p{M}\\p{N}]';

/** Letters of scripts without spaces, beside which the letters of other scripts are words of their own. */
const undividedRun = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}]+/gu;

const foldedOf = (parts: string[]): string =>
  fold(parts.map((part) => part.slice(0, longestPart)).join(' ')).replace(undividedRun, ' $& ');

const wordsIn = (text: string): string[] => text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

const initialsOf = (words: string[]): string => words.map(([first = '']) => first.toLowerCase()).join('');

export const shownBy = once((item: ResultItem): Shown => {
  const { title, snippet, breadcrumb, domain = '', url } = item;
  const text = foldedOf([title, snippet, breadcrumb, domain, decoded(url)]);
  const words = wordsIn(text);
  const original = `${title} ${snippet}`.slice(0, longestPart);
  return {
    text,
    words: new Set(words),
    shortWords: new Set(wordsIn(foldedOf([title, snippet, getDomainWithoutSuffix(domain) ?? '']))),
    joined: words.join(''),
    initials: initialsOf(original.match(/(?<![\p{L}\p{N}])\p{Lu}/gu) ?? []),
    camels: new Set(
      (original.match(/\p{Lu}\p{Ll}+\p{Lu}\p{Ll}+/gu) ?? []).map((word) =>
        initialsOf(word.match(/\p{Lu}/gu) ?? []),
      ),
    ),
  };
});

/** Scripts whose words are compared anywhere in a text, because nothing divides them, or prefixes do not. */
const undivided =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Scripts that write articles and prepositions as a part of the word. */
const withPrefixes = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;

const isNumber = (word: string): boolean => /^\p{N}+$/u.test(word);

/** The part of a word that all of its forms begin with. */
const stemOf = (word: string): string => {
  const letters = [...word];
  return letters.length < 4 ? word : letters.slice(0, Math.max(4, Math.floor(0.6 * letters.length))).join('');
};

const escaped = (text: string): string => text.replace(/[+.*?^$(){}|[\]\\]/g, '\\$&');

/** A pair of words, with the signs that the query has between them, or with at most three others. */
const pairPattern = (pair: string): RegExp => {
  const parts = pair.split(' ').map(escaped);
  const between = parts.length > 2 ? '\\s?' : '[^\\p{L}\\p{M}\\p{N}]{0,3}';
  return new RegExp(`(?<!${sign})${parts.join(between)}(?!${sign})`, 'u');
};

/** Whether a text has a stem at the beginning of a word. */
const beginsWord = (text: string, stem: string): boolean => {
  for (let at = text.indexOf(stem); at >= 0; at = text.indexOf(stem, at + 1)) {
    if (!/[\p{L}\p{M}\p{N}]$/u.test(text.slice(Math.max(0, at - 2), at))) return true;
  }
  return false;
};

/** Half of the pairs of letters of a long word that nothing divides. */
const hasHalf = (text: string, word: string): boolean => {
  const letters = [...word];
  const pairs = letters.slice(1).map((letter, index) => `${letters[index]}${letter}`);
  return letters.length > 3 && 2 * pairs.filter((pair) => text.includes(pair)).length >= pairs.length;
};

/**
 * Whether two words differ by one letter that is another one, missing, added, or swapped with its neighbour.
 */
const differByOne = (one: string, other: string): boolean => {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  if (long.length - short.length > 1) return false;
  let same = 0;
  while (same < short.length && short[same] === long[same]) same += 1;
  const [restOfShort, restOfLong] = [short.slice(same), long.slice(same)];
  if (restOfShort.length < restOfLong.length) return restOfShort === restOfLong.slice(1);
  return (
    restOfShort.slice(1) === restOfLong.slice(1) ||
    (restOfShort[0] === restOfLong[1] &&
      restOfShort[1] === restOfLong[0] &&
      restOfShort.slice(2) === restOfLong.slice(2))
  );
};

const isWholeShown = (word: string, { text, shortWords }: Shown): boolean =>
  undivided.test(word) ? text.includes(word) : shortWords.has(word);

const isShortShown = (word: string, { shortWords, initials, camels }: Shown): boolean =>
  shortWords.has(word) ||
  camels.has(word) ||
  (word.length === 3 && (shortWords.has(`${word}s`) || initials.includes(word)));

const isWordShown = (word: string, shown: Shown): boolean => {
  const { text, joined, words } = shown;
  if (word.includes(' ')) return pairPattern(word).test(text);
  if (/[+#]$/.test(word)) return text.includes(word);
  if (undivided.test(word)) return text.includes(word) || hasHalf(text, word);
  const letters = [...word].length;
  if (withPrefixes.test(word)) {
    if (letters > 3) return text.includes(stemOf(word));
    return new RegExp(`(?<!${sign})\\p{L}{0,3}${escaped(word)}(?!${sign})`, 'u').test(text);
  }
  if (isNumber(word)) return words.has(word) || (letters > 4 && joined.includes(word));
  if (letters < 4) return isShortShown(word, shown);
  return (
    beginsWord(text, stemOf(word)) ||
    (letters > 5 && joined.includes(word)) ||
    (letters > 4 && [...words].some((other) => differByOne(word, other)))
  );
};

/** Whether a result shows one of the words of a term. */
export const isShown = ({ words, joined = [], isExact }: Term, shown: Shown): boolean =>
  words.some((word) =>
    isExact && !word.includes(' ') ? isWholeShown(word, shown) : isWordShown(word, shown),
  ) || joined.some((word) => shown.words.has(word));
