/** Tests whether a result shows a word of the query: itself, another form of it, or its initials. */
import type { ResultItem } from '../model/result.ts';
import { isFormOf } from './endings.ts';
import { hasTwoLetters, sameLetters, sameSigns } from './letters.ts';
import { once } from './page-cache.ts';
import { isUnknownWord, type Term } from './query-parts.ts';
import { hasOtherLetters, isIndian, romanized, voiceless } from './romanized.ts';
import type { Shown } from './shown.ts';
import { otherFormsOf } from './word-forms.ts';

const sign = '[\\p{L}\\p{M}\\p{N}]';

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

/** Words of so many letters are compounds, which results also write in part. */
const compoundFrom = 12;

/**
 * The part of a word in Latin letters that words of any language begin with if they are forms of it. With a
 * shorter one, `internet` would be in `international`.
 */
const longStemOf = (word: string): string =>
  word.slice(0, Math.max(5, Math.ceil((word.length < compoundFrom ? 0.8 : 0.6) * word.length)));

const isLatin = (word: string): boolean => /^[a-z0-9]+$/.test(word);

const escaped = (text: string): string => text.replace(/[+.*?^$(){}|[\]\\]/g, '\\$&');

/** Signs for which texts have others, too. A keyboard has no `×` and no `÷`. */
const signForms = new Map([
  ['&', '(?:&|and)'],
  ['*', '[*×x]'],
  ['×', '[*×x]'],
  ['/', '[/÷]'],
  ['÷', '[/÷]'],
]);

/** A pair of words, with the signs that the query has between them, or with at most three others. */
const pairPattern = (pair: string): RegExp => {
  const parts = pair.split(' ');
  const between = parts.length > 2 ? '\\s?' : '[^\\p{L}\\p{M}\\p{N}]{0,3}';
  const written = parts.map((part) => signForms.get(part) ?? escaped(part));
  return new RegExp(`(?<!${sign})${written.join(between)}(?!${sign})`, 'u');
};

/** Whether a word ends before this place of a text. */
const endsWord = (text: string, at: number): boolean =>
  text.charCodeAt(at - 1) === 32 || !/[\p{L}\p{M}\p{N}]$/u.test(text.slice(Math.max(0, at - 2), at));

/** Whether a text has a stem at the beginning of a word. */
const beginsWord = (text: string, stem: string): boolean => {
  for (let at = text.indexOf(stem); at >= 0; at = text.indexOf(stem, at + 1)) {
    if (endsWord(text, at)) return true;
  }
  return false;
};

/** The signs that the forms of a Japanese word have in common: `痛` of `痛い`. */
const japaneseStemOf = (word: string): string =>
  /^(\p{Script=Han}+)\p{Script=Hiragana}+$/u.exec(word)?.[1] ?? word;

/** Words of two scripts, and Korean ones of several syllables, which texts write with spaces, too. */
const maySplit = /[\p{Script=Latin}\p{N}]|\p{Script=Hangul}{3}/u;

/** The pairs of neighbouring letters of a long word; none of a short one. */
const pairsOf = (word: string): string[] => {
  const letters = [...word];
  return letters.length > 3 ? letters.slice(1).map((letter, index) => `${letters[index]}${letter}`) : [];
};

const hasHalfOf = (text: string, pairs: string[]): boolean =>
  pairs.length > 0 && 2 * pairs.filter((pair) => text.includes(pair)).length >= pairs.length;

/** Half of the pairs of letters of a long word that nothing divides. */
const hasHalf = (text: string, word: string): boolean => hasHalfOf(text, pairsOf(word));

/** Such a pair is in texts on any subject: it ends words. */
const isHiragana = (pair: string): boolean => /^\p{Script=Hiragana}+$/u.test(pair);

/**
 * Whether two words differ by one letter that is another one, missing, added, or swapped with its neighbour.
 */
const differByOne = (one: string, other: string): boolean => {
  const difference = one.length - other.length;
  if (difference > 1 || difference < -1) return false;
  const short = Math.min(one.length, other.length);
  let before = 0;
  while (before < short && one[before] === other[before]) before += 1;
  const rest = short - before;
  let after = 0;
  while (after < rest && one.at(-1 - after) === other.at(-1 - after)) after += 1;
  if (difference !== 0) return after === rest;
  const areSwapped = one[before] === other[before + 1] && one[before + 1] === other[before];
  return after >= rest - 1 || (after === rest - 2 && areSwapped);
};

type ShownTest = (shown: Shown) => boolean;

const testOfShort = (word: string): ShownTest => {
  const mayBeInitials = word.length === 3;
  const others = otherFormsOf(word);
  return (shown) =>
    shown.hasShortWord(word) ||
    shown.camels.has(word) ||
    (mayBeInitials && (shown.hasShortWord(`${word}s`) || shown.initials.includes(word))) ||
    others.some((other) => shown.hasShortWord(other)) ||
    shown.hasHyphenated(word) ||
    shown.hasDivided(word);
};

const contains = (part: string | RegExp): ShownTest =>
  typeof part === 'string' ? ({ text }) => text.includes(part) : ({ text }) => part.test(text);

/** A word of Chinese or Japanese signs, in any of their forms. */
const containsSigns = (word: string): ShownTest => {
  const same = sameSigns(word);
  return (shown) => shown.text.includes(word) || shown.withSameSigns.includes(same);
};

const testOfWord = (word: string): ShownTest => {
  if (word.includes(' ')) return contains(pairPattern(word));
  if (/[+#]$/.test(word)) return contains(word);
  if (undivided.test(word)) {
    if (isUnknownWord(word)) {
      const [isWhole, pairs] = [containsSigns(word), pairsOf(word).filter((pair) => !isHiragana(pair))];
      return (shown) => isWhole(shown) || hasHalfOf(shown.text, pairs);
    }
    const stem = japaneseStemOf(word);
    const mayBeDivided = maySplit.test(word);
    const [sameStem, same] = [sameSigns(stem), sameSigns(word)];
    return (shown) =>
      shown.text.includes(stem) ||
      hasHalf(shown.text, word) ||
      (mayBeDivided && shown.joined.includes(word)) ||
      shown.withSameSigns.includes(sameStem) ||
      hasHalf(shown.withSameSigns, same);
  }
  const letters = [...word].length;
  if (withPrefixes.test(word))
    return contains(
      letters > 3 ? stemOf(word) : new RegExp(`(?<!${sign})\\p{L}{0,3}${escaped(word)}(?!${sign})`, 'u'),
    );
  const others = otherFormsOf(word);
  if (isNumber(word))
    return (shown) =>
      shown.hasWord(word) ||
      (letters > 4 ? shown.joined.includes(word) : shown.hasDivided(word)) ||
      others.some((other) => shown.hasShortWord(other));
  if (letters < 4) return testOfShort(word);
  const stem = isLatin(word) ? longStemOf(word) : stemOf(word);
  const isTyped = hasTwoLetters(word);
  const isForm = isFormOf(word);
  return (shown) =>
    beginsWord(shown.text, stem) ||
    shown.allWords.some(isForm) ||
    others.some((other) => shown.hasWord(other)) ||
    (letters > 5 && shown.joined.includes(word)) ||
    (letters > 4 && shown.allWords.some((other) => differByOne(word, other))) ||
    shown.hasHyphenated(word) ||
    shown.hasDivided(word) ||
    (isTyped ? beginsWord(shown.inTwoLetters, stem) : shown.hasWithoutUmlauts(word));
};

/** A word in the letters of another alphabet than that of the result. */
const testOfSounds = (word: string): ShownTest => {
  const isOther = hasOtherLetters(word);
  if (!isOther && !/^[a-z]{2,}$/.test(word)) return () => false;
  let sound: string | undefined;
  return (shown) => {
    if (isOther === shown.hasOtherLetters) return false;
    sound ??= romanized(word);
    const stem = stemOf(sound);
    if (stem.length >= 4 && beginsWord(shown.sounds, stem)) return true;
    if (stem.length >= 4 && shown.koreanSounds.includes(voiceless(stem))) return true;
    return shown.hasSound(sound, isIndian(word));
  };
};

/** Whether the letters of a word are in a name in the same order, from its first letter on. */
const abbreviates = (word: string, name: string): boolean => {
  let at = -1;
  return [...word].every((letter, index) => {
    at = name.indexOf(letter, at + 1);
    return index === 0 ? at === 0 : at > 0;
  });
};

/** Tests whether a result is at a site whose name people shorten so: `fb` is `facebook`. */
export const testOfSite = ({ words: [word = ''] }: Term): ShownTest =>
  /^[a-z]{2,4}$/.test(word) ? (shown) => abbreviates(word, shown.siteName) : () => false;

/** Whether results show one of the pictures of a query; true if it has none. */
export const showsSigns = (query: string, results: ResultItem[]): boolean => {
  const signs = query.match(/\p{Extended_Pictographic}/gu) ?? [];
  return (
    signs.length === 0 ||
    results.some(({ title, snippet }) => signs.some((sign) => `${title} ${snippet}`.includes(sign)))
  );
};

/** A whole word, or one in a script without spaces. */
const testOfExact = (word: string): ShownTest =>
  undivided.test(word) ? containsSigns(word) : (shown) => shown.hasShortWord(word);

/** Tests whether a result shows one of the words of a term. Each result is tested once. */
export const testOf = once(({ words, joined = [], isExact }: Term): ShownTest => {
  const tests = words.map((word) => {
    const same = sameLetters(word);
    return isExact && !same.includes(' ') ? testOfExact(same) : testOfWord(same);
  });
  const joinedWords = joined.map(sameLetters);
  const sounds = words.map(testOfSounds);
  return once(
    (shown: Shown): boolean =>
      tests.some((test) => test(shown)) ||
      joinedWords.some((word) => shown.hasWord(word)) ||
      sounds.some((test) => test(shown)),
  );
});

/**
 * Tests whether a result shows a word of a term as the query writes it. If so, `testOf` finds it, too, but it
 * takes several times as long if not.
 */
export const plainTestOf = ({ words, isExact }: Term): ShownTest => {
  const plain = isExact ? [] : words.filter((word) => /^[a-z]{4,}$/.test(word));
  return ({ text }) => plain.some((word) => beginsWord(text, word));
};

/**
 * Whether a term is in hiragana only. Results may write such a word in Han signs, whose sounds are not known:
 * `すし` is `寿司`.
 */
export const isInHiragana = ({ words }: Term): boolean =>
  words.every((word) => /^[\p{Script=Hiragana}ー]+$/u.test(word));
