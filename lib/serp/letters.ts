/**
 * Writes as one what people and engines exchange within a script: forms of a letter, and marks that most
 * texts leave out. The result is for comparisons only.
 */
import { simplifiedOf } from './han-signs.ts';

/**
 * Marks of Arabic vowels and the sign that lengthens a word, points of Hebrew, dots below Indian letters,
 * joiners and soft hyphens.
 */
const omitted =
  /[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u0655\u0670\u06d6-\u06dc\u06df-\u06ed\u093c\u0a3c\u00ad]|\u200c|\u200d/g;

const forms: Record<string, string> = {
  ى: 'ي',
  ی: 'ي',
  ے: 'ي',
  ک: 'ك',
  ة: 'ه',
  ۀ: 'ه',
  ە: 'ه',
  ہ: 'ه',
  ھ: 'ه',
  ٱ: 'ا',
  ऩ: 'न',
  ऱ: 'र',
  ऴ: 'ळ',
  'ँ': 'ं',
  ൺ: 'ണ്',
  ൻ: 'ന്',
  ർ: 'ര്',
  ൽ: 'ല്',
  ൾ: 'ള്',
};

/** The letters above are among these. */
const withForms = /[\u0629\u0649\u0671-\u06d5\u0901\u0929\u0931\u0934\u0d7a-\u0d7e]/g;

/** A nasal before another consonant, for which Hindi also has a mark. */
const nasal = /[ङञणनम]्(?=[क-ह])/g;

/** The letters and marks above are between these. Most texts have none, and a test is cheaper. */
const mayHave = /[\u00ad\u0591-\u06ed\u0900-\u0d7f]/;

/** A folded text without such marks, and with one form of each letter of an alphabet. */
export const sameLetters = (text: string): string =>
  mayHave.test(text)
    ? text
        .replace(omitted, '')
        .replace(withForms, (letter) => forms[letter] ?? letter)
        .replace(nasal, 'ं')
    : text;

const katakanaOf = (sign: string): string => String.fromCharCode(sign.charCodeAt(0) + 0x60);

/** A text with simplified Han signs, and with katakana for hiragana: `台灣のりんご` is `台湾ノリンゴ`. */
export const sameSigns = (text: string): string =>
  text.replace(/[\u3041-\u3096]/g, katakanaOf).replace(/[\u4e00-\u9fff]/g, simplifiedOf);

/** Letters for which people also write two: those with umlauts, and Danish and Norwegian ones. */
const pairs: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe', æ: 'ae' };

const single = /[äöüåøæ]/g;

/** A text in small letters with two letters for each of these: `Köln` is `koeln`. */
export const inTwoLetters = (text: string): string =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replace(single, (letter) => pairs[letter] ?? letter);

const twoLetters = /([aou])e|aa/g;

/** Whether a folded word has two letters that may stand for one of these. */
export const hasTwoLetters = (word: string): boolean => /[aou]e|aa/.test(word);

/** A folded text with one letter for each such two: `koeln` is `koln`. */
export const withoutUmlauts = (text: string): string =>
  text.replace(twoLetters, (_, letter) => letter ?? 'a');
