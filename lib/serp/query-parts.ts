/**
 * The parts of a query: the words that its results show, and the sites that it is limited to. Operators are
 * those of the web engines.
 */
import { functionWordsIn } from './function-words.ts';
import { addressFormsIn } from './query-addresses.ts';
import { fold } from './text.ts';

/**
 * A word that results are compared with. The results show it if they show one of `words`: `a OR b` is one
 * term of two words. `joined`: the word and its neighbour, as results may write them in one. `isExact`: the
 * results must show the whole word, not only its beginning. `isOptional`: results for it need not show it,
 * because it belongs to the form of an address, or may be no word.
 */
export type Term = { words: string[]; joined?: string[]; isExact: boolean; isOptional?: boolean };

/** A host as the query writes it, and the beginning of a path below it; empty for the whole host. */
export type Site = { host: string; path: string };

export type QueryParts = {
  terms: Term[];
  /** The sites of `site:`. The results are at any of them. */
  sites: Site[];
  /** The sites of `-site:`. No result is at one of them. */
  excluded: Site[];
};

/** Before an operator, there is nothing, a space, a bracket or a quote. */
const begin = '(?<=^|[\\s("“„«])';

const siteOperator = new RegExp(`${begin}(-?)site:["“]?([^\\s"”()]+)["”]?`, 'giu');

/** Operators with values that no result shows, and excluded words. */
const unseenOperator = new RegExp(
  `${begin}(?:(?:before|after|filetype|ext|daterange|related|source|cache|lang|language|loc|location):\\S+|-(?:"[^"]*"|[^\\s-]\\S*))`,
  'giu',
);

/** Operators with values that a result shows, in its URL or its text. */
const shownOperator = /\b(?:(?:all)?in(?:title|url|text|anchor|body)|url|contains|define):/giu;

const siteOf = (value: string): Site => {
  const [name = '', ...path] = value
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .split('/');
  const host = name.replace(/^\*?\./, '');
  return {
    // The hosts of results are in ASCII.
    host: URL.parse(`https://${host}`)?.hostname ?? host,
    path: path.join('/').replace(/(?<![/*])[/*]+$/, ''),
  };
};

/** Scripts without spaces. Their texts are divided into words by a dictionary. */
export const withoutSpaces =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

const kana = /^[\p{Script=Hiragana}\p{Script=Katakana}]$/u;

/** Signs between the words of a Japanese query. */
const particle = /^[のはがをにへともや]$/u;

/** Whether a piece is one sign of a word. A digit is not: results have a space after it. */
const isSingle = (piece: string): boolean => /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]$/u.test(piece);

/** A word that the dictionary does not know, as single signs; empty if they are signs with particles. */
const unknownWord = (signs: string[]): string => {
  const first = signs.findIndex((piece) => !particle.test(piece));
  const own = signs.slice(first, signs.findLastIndex((piece) => !particle.test(piece)) + 1);
  return own.length > 1 && own.some((piece) => kana.test(piece) && !particle.test(piece)) ? own.join('') : '';
};

/** The pieces of a run. Signs of a Japanese word that the dictionary does not know are one: `ゆで卵`. */
const withUnknown = (pieces: string[]): string[] => {
  const at = pieces.findIndex(isSingle);
  if (at < 0) return pieces;
  const length = pieces.slice(at).findIndex((piece) => !isSingle(piece));
  const end = length < 0 ? pieces.length : at + length;
  const signs = pieces.slice(at, end);
  const word = unknownWord(signs);
  return [...pieces.slice(0, at), ...(word === '' ? signs : [word]), ...withUnknown(pieces.slice(end))];
};

/** A word in Han signs, and the hiragana that only end words: particles begin with others. */
const signWord = /^(\p{Script=Han}+)(\p{Script=Han})$/u;
const endings = 'いうえきくけこぎぐげごすせそちつってびぶべぼみむめまばりるれろわん';
const ending = new RegExp(`^([${endings}])(\\p{Script=Han}*)$`, 'u');

/**
 * The pieces of a run. The hiragana after a word in Han signs ends a word that begins with its last sign, if
 * the dictionary took that sign for a part of another word: `餌食|べ` is `餌|食べ`, and `歯痛|い時` is
 * `歯|痛い|時`.
 */
const withEndings = (pieces: string[]): string[] => {
  const found: string[] = [];
  for (const piece of pieces) {
    const [, end, rest = ''] = ending.exec(piece) ?? [];
    const [, word, last] = (end && signWord.exec(found.at(-1) ?? '')) || [];
    if (word === undefined) found.push(piece);
    else found.splice(-1, 1, word, `${last}${end}`, ...(rest === '' ? [] : [rest]));
  }
  return found;
};

let segmenter: Intl.Segmenter | undefined;

const piecesOf = (run: string): string[] => {
  segmenter ??= new Intl.Segmenter('zh', { granularity: 'word' });
  return [...segmenter.segment(run)].flatMap(({ segment, isWordLike }) => (isWordLike ? [segment] : []));
};

const divided = (run: string): string[] =>
  withoutSpaces.test(run) ? withUnknown(withEndings(piecesOf(run))) : [run];

/** Whether the dictionary does not know a Japanese word, so its forms are not known either. */
export const isUnknownWord = (word: string): boolean =>
  /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(word) && piecesOf(word).length > 1;

/** Signs after a letter count: `C++` and `C#` are two words. Between two numbers, they are those of a sum. */
const wordsIn = (text: string): string[] =>
  (text.match(/[\p{L}\p{M}\p{N}]+(?:(?<!\p{N})[+#]+|[+#]+(?![+#]*\p{N}))?/gu) ?? []).flatMap((word) =>
    /[+#]$/.test(word) ? [word] : divided(word),
  );

/** Short parts of a word with hyphens say nothing beside a long one: `co-founder`. */
const withoutPrefixes = (piece: string): string =>
  /\p{L}{4}/u.test(piece) ? piece.replace(/(?<![\p{L}\p{N}])\p{L}{1,3}-(?=\p{L}{4})/gu, '') : piece;

/** A word of short parts with hyphens, such as `wi-fi`, which results may write as one word or as several. */
const compound = /^\p{L}{1,3}(?:-\p{L}{1,3})+$/u;

/** A number of seven digits or more in groups, such as that of a telephone. */
const grouped = /^(?=(?:\D*\d){7})\p{N}+(?:[-.]\p{N}+)+$/u;

/** A number with separators of thousands, which results may write without them. */
const thousands = /(?<![\p{N}.,])\p{N}{1,3}(?:[.,]\p{N}{3})+(?![.,]?\p{N})/gu;

const wordsOfPiece = (piece: string): string[] => {
  if (compound.test(piece)) return [fold(piece).replaceAll('-', ' ')];
  if (grouped.test(piece)) return [piece.replace(/[-.]/g, '')];
  return wordsIn(fold(withoutPrefixes(piece)).replace(thousands, (number) => number.replace(/[.,]/g, '')));
};

/** Joiners and soft hyphens, which do not divide words. */
const joiners = /\u200c|\u200d|\u00ad/g;

/** A piece of a query as its terms are written: a term is in it. */
export const comparable = (piece: string): string =>
  fold(piece.normalize('NFKC').replace(joiners, '')).replace(thousands, (number) =>
    number.replace(/[.,]/g, ''),
  );

/** The words on both sides of an `OR`, which is written in capitals, or of a `|`. */
const alternatives = (text: string): string[][] => {
  const groups: string[][] = [];
  let joins = false;
  for (const piece of text.split(/\s+/)) {
    if (piece === 'OR' || piece === '|') {
      joins = groups.length > 0;
      continue;
    }
    if (piece === 'AND') continue;
    const words = wordsOfPiece(piece);
    // Of a phrase in quotes, the word beside the operator is enough.
    const last = joins ? groups.at(-1) : undefined;
    joins = false;
    if (last && words[0] !== undefined) {
      last.push(words[0]);
      words.shift();
    }
    for (const word of words) groups.push([word]);
  }
  return groups;
};

const isLong = (word: string): boolean => [...word].length > 1;

/** A word of one sign and its ending, as verbs and adjectives have: `食べ`, `痛い`. */
const withEnding = new RegExp(`^\\p{Script=Han}[${endings}]$`, 'u');

/** Whether one sign is a word, because a verb or an adjective says something of it: `餌` of `餌食べない`. */
const isNoun = (word: string, next: string): boolean =>
  /^\p{Script=Han}$/u.test(word) && withEnding.test(next);

/** Single signs that follow each other may be a name that the dictionary does not know: `騰訊`. */
const namesIn = (groups: string[][]): Term[] =>
  (
    groups
      .map(([word = '']) => (/^\p{Script=Han}$/u.test(word) ? word : ' '))
      .join('')
      .match(/\S{2,}/gu) ?? []
  ).map((name) => ({ words: [name], isExact: false, isOptional: true }));

const isSignWord = /^[\p{Script=Han}\p{Script=Hangul}]/u;

/** Signs that each date, time, price or number of people has. Beside other signs they say nothing. */
const isCounted = /^[年月日時分秒人円]$/u;

/** Signs with particles between them. Signs that say nothing are compared with all between them. */
const signsWithParticles = (words: string[], signs: string[]): string[] => {
  if (signs.length === words.length) return signs;
  const own = signs.filter((sign) => !isCounted.test(sign));
  return own.length > 0 ? own : [words.join('')];
};

/**
 * A query of short words only, such as `2 + 2` or `is it`: single, they are in texts on any subject, so each
 * pair of neighbours is a term, with the signs between them.
 */
const pairsIn = (query: string): Term[] => {
  const text = query.replace(/\sand\s/g, ' & ');
  const words = wordsIn(text);
  // A sign of these scripts is a word.
  const withoutParticles = words.filter((word) => !particle.test(word));
  const subjects = withoutParticles.length > 0 ? withoutParticles : words;
  if (words.length === 1 || subjects.every((word) => isSignWord.test(word)))
    return signsWithParticles(words, subjects).map((word) => ({ words: [word], isExact: true }));
  const between = text.split(/[\p{L}\p{M}\p{N}]+/u).slice(1, -1);
  return words.slice(1).map((word, index) => {
    const signs =
      between.length === words.length - 1 ? (between[index] ?? '').replace(/[^+*/=×÷&<>^%]/g, '') : '';
    return { words: [[words[index], signs, word].filter((part) => part !== '').join(' ')], isExact: true };
  });
};

/** Each word joined with the word before it and with the one after it. */
const joinedWith = (words: string[], before: string[] = [], after: string[] = []): string[] =>
  words.flatMap((word) => [
    ...before.map((other) => `${other}${word}`),
    ...after.map((other) => `${word}${other}`),
  ]);

/** A sum, whose numbers are in texts on any subject: from a number to a number, with signs between them. */
const isSum = (text: string): boolean =>
  /^\s*\p{N}/u.test(text) &&
  /^[\p{N}\s.,+*/×÷^=-]+$/u.test(text) &&
  /[+*/×÷^]|\s-/.test(text) &&
  /\p{N}[.,=\s]*$/u.test(text);

const termsOf = (text: string): Term[] => {
  if (isSum(text)) return pairsIn(text);
  const groups = alternatives(text);
  const functional = functionWordsIn(groups.flat());
  const forms = addressFormsIn(text);
  const terms = groups.flatMap((all, index) => {
    const [next = ''] = groups[index + 1] ?? [];
    const words = all.filter((word) => (isLong(word) || isNoun(word, next)) && !functional.has(word));
    if (words.length === 0) return [];
    const joined = joinedWith(words, groups[index - 1], groups[index + 1]);
    const isOptional = words.every((word) => forms.has(word));
    return [[words.join(' '), { words, joined, isExact: false, ...(isOptional && { isOptional }) }] as const];
  });
  // Of `x.com`, the address as a whole is compared.
  return terms.some(([, { isOptional }]) => !isOptional)
    ? [...new Map(terms).values(), ...namesIn(groups)]
    : pairsIn(fold(text.replace(/\b(?:OR|AND)\b|\|/g, ' ')));
};

/** Longer queries are compared by their first words. Each word costs a search in all results. */
const maxTerms = 32;

/** The scheme of an address: each address that a result shows has one. */
const scheme = new RegExp(`${begin}https?://`, 'giu');

/** Further sites of a query are ignored. */
const maxSites = 32;

export const partsOf = (query: string): QueryParts => {
  const sites: Site[] = [];
  const excluded: Site[] = [];
  const words = query
    .normalize('NFKC')
    .slice(0, 2048)
    .replace(joiners, '')
    .replace(siteOperator, (_, minus: string, value: string) => {
      const site = siteOf(value);
      if (site.host !== '' && sites.length + excluded.length < maxSites)
        (minus === '' ? sites : excluded).push(site);
      return ' ';
    })
    .replace(unseenOperator, ' ')
    .replace(shownOperator, ' ')
    .replace(scheme, '');
  return { terms: termsOf(words).slice(0, maxTerms), sites, excluded };
};
