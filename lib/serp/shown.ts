/** What a result shows, in the forms in which the words of a query are looked up. */
import { getDomainWithoutSuffix } from 'tldts';
import type { ResultItem } from '../model/result.ts';
import { isDividedIn, withoutHyphens } from './divided-words.ts';
import { inTwoLetters, sameLetters, sameSigns, withoutUmlauts } from './letters.ts';
import { decoded } from './link.ts';
import { once } from './page-cache.ts';
import { hasOtherLetters, isIndian, romanized, voiceless, withoutA } from './romanized.ts';
import { fold } from './text.ts';

/** Of a longer title, text or address, only the beginning is compared. */
const longestPart = 600;

/** Letters of scripts without spaces, beside which the letters of other scripts are words of their own. */
const undividedRun = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}]+/gu;

const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);

/** Most parts are in ASCII, and need no pattern of other scripts. */
const foldedPart = (part: string): string =>
  isAscii(part) ? part.toLowerCase() : sameLetters(fold(part)).replace(undividedRun, ' $& ');

const foldedOf = (parts: string[]): string =>
  parts.map((part) => foldedPart(part.slice(0, longestPart))).join(' ');

/** The words of a folded text. Most texts are in ASCII, where a pattern without classes is faster. */
const wordsIn = (text: string): string[] =>
  text.match(isAscii(text) ? /[a-z0-9]+/g : /[\p{L}\p{M}\p{N}]+/gu) ?? [];

const initialsOf = (words: string[]): string => words.map(([first = '']) => first.toLowerCase()).join('');

/**
 * What a result shows, in the forms in which words are looked up. Most words are found in the text, so each
 * other form is made when a word is first looked up in it.
 */
export class Shown {
  /** Title, text and address. */
  readonly text: string;
  private readonly item: ResultItem;
  private wordList: string[] | undefined;
  private wordSet: ReadonlySet<string> | undefined;
  private shortSet: ReadonlySet<string> | undefined;
  private foldedText: string | undefined;
  private ownList: string[] | undefined;
  private unhyphened: string | undefined;
  private hyphenSet: ReadonlySet<string> | undefined;
  private joinedWords: string | undefined;
  private signs: string | undefined;
  private plainText: string | undefined;
  private plainSet: ReadonlySet<string> | undefined;
  private twoLetterText: string | undefined;
  private firstLetters: string | undefined;
  private camelSet: ReadonlySet<string> | undefined;
  private soundText: string | undefined;
  private koreanText: string | undefined;
  private soundSet: ReadonlySet<string> | undefined;
  private isOther: boolean | undefined;
  constructor(item: ResultItem) {
    const { title, snippet, breadcrumb, domain = '', url } = item;
    this.item = item;
    this.text = foldedOf([title, snippet, breadcrumb, domain, url.includes('%') ? decoded(url) : url]);
  }

  get allWords(): string[] {
    this.wordList ??= wordsIn(this.text);
    return this.wordList;
  }

  hasWord(word: string): boolean {
    if (!this.text.includes(word)) return false;
    this.wordSet ??= new Set(this.allWords);
    return this.wordSet.has(word);
  }

  /**
   * Whether the word is one of title and text, or the name in the host: an address has short words of its
   * own.
   */
  hasShortWord(word: string): boolean {
    if (!this.text.includes(word)) return false;
    this.shortSet ??= new Set(wordsIn(this.ownText));
    return this.shortSet.has(word);
  }

  /** Title and text, and the name in the host. */
  private get ownText(): string {
    this.foldedText ??= foldedOf([this.item.title, this.item.snippet, this.siteName]);
    return this.foldedText;
  }

  /** Whether title and text have the word with hyphens, dots or apostrophes in it: `Wi-Fi` is `wifi`. */
  hasHyphenated(word: string): boolean {
    this.unhyphened ??= withoutHyphens(this.ownText);
    if (!this.unhyphened.includes(word)) return false;
    this.hyphenSet ??= new Set(wordsIn(this.unhyphened));
    return this.hyphenSet.has(word);
  }

  /** Whether title and text write a word with a digit, or thousands, as several words. */
  hasDivided(word: string): boolean {
    this.ownList ??= wordsIn(this.ownText);
    return isDividedIn(this.ownList, word);
  }

  /** The letters and digits of the text only: `net worth` has `networth`. */
  get joined(): string {
    this.joinedWords ??= this.allWords.join('');
    return this.joinedWords;
  }

  /** The text with one form of each Chinese and Japanese sign. */
  get withSameSigns(): string {
    this.signs ??= isAscii(this.text) ? '' : sameSigns(this.text);
    return this.signs;
  }

  /** Whether a word of the text has two letters for an umlaut of this word: `koeln` for `koln`. */
  hasWithoutUmlauts(word: string): boolean {
    this.plainText ??= withoutUmlauts(this.text);
    if (!this.plainText.includes(word)) return false;
    this.plainSet ??= new Set(wordsIn(this.plainText));
    return this.plainSet.has(word);
  }

  /** Title and text with two letters for each umlaut; empty if they have none. */
  get inTwoLetters(): string {
    this.twoLetterText ??= isAscii(this.original) ? '' : fold(inTwoLetters(this.original));
    return this.twoLetterText;
  }

  /** Whether title or text are in Japanese: they have Han signs beside hiragana or katakana. */
  get isJapanese(): boolean {
    const text = this.original;
    return /\p{Script=Han}/u.test(text) && /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text);
  }

  private get original(): string {
    return `${this.item.title} ${this.item.snippet}`.slice(0, longestPart);
  }

  /** Title and text in Latin letters. */
  get sounds(): string {
    this.soundText ??= romanized(this.original);
    return this.soundText;
  }

  /** As `sounds`, for Korean words, which are parts of longer ones; empty if it has none. */
  get koreanSounds(): string {
    this.koreanText ??= /\p{Script=Hangul}/u.test(this.original) ? voiceless(this.sounds) : '';
    return this.koreanText;
  }

  /**
   * Whether title or text have a whole word with this sound. Of two letters, only a word of India has one.
   */
  hasSound(sound: string, isIndianWord: boolean): boolean {
    const mayBeShort = isIndianWord || isIndian(this.original);
    if (sound.length < (mayBeShort ? 2 : 3)) return false;
    this.soundSet ??= new Set(wordsIn(this.sounds).flatMap((word) => [word, withoutA(word)]));
    return (
      this.soundSet.has(sound) ||
      (mayBeShort && withoutA(sound).length > 1 && this.soundSet.has(withoutA(sound)))
    );
  }

  /** Whether title or text have letters of other alphabets. */
  get hasOtherLetters(): boolean {
    this.isOther ??= !isAscii(this.original) && hasOtherLetters(this.original);
    return this.isOther;
  }

  /** The name of the site: `facebook` of `www.facebook.com`. */
  get siteName(): string {
    return getDomainWithoutSuffix(this.item.domain ?? '') ?? '';
  }

  /** The first letters of the words with a capital. */
  get initials(): string {
    this.firstLetters ??= initialsOf(this.original.match(/(?<![\p{L}\p{N}])\p{Lu}/gu) ?? []);
    return this.firstLetters;
  }

  /** The first letters of the parts of words such as `JavaScript`. */
  get camels(): ReadonlySet<string> {
    this.camelSet ??= new Set(
      (this.original.match(/\p{Lu}\p{Ll}+\p{Lu}\p{Ll}+/gu) ?? []).map((word) =>
        initialsOf(word.match(/\p{Lu}/gu) ?? []),
      ),
    );
    return this.camelSet;
  }
}

export const shownBy = once((item: ResultItem): Shown => new Shown(item));
