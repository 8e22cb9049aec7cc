/**
 * Latin letters for words of other alphabets, as people type them: `погода` is `pogoda`. What sounds the same
 * is written the same, so the result is for comparisons only. Data, and Hangul by its code.
 */

const alphabets: [letters: string, sounds: string][] = [
  [
    'абвгдеёжзийклмнопрстуфхцчшщъыьэюяіїєґђјљњћџў',
    'a b v g d e e zh z i i k l m n o p r s t u f h ts ch sh sch - i - e iu ia i i e g dj j lj nj c dz u',
  ],
  ['αβγδεζηθικλμνξοπρσςτυφχψω', 'a v g d e z i th i k l m n x o p r s s t i f h ps o'],
  [
    'あいうえおかきくけこがぎぐげごさしすせそざじずぜぞたちつてとだぢづでどなにぬねのはひふへほばびぶべぼぱぴぷぺぽまみむめもやゆよらりるれろわをんーっ',
    'a i u e o ka ki ku ke ko ga gi gu ge go sa shi su se so za ji zu ze zo ta chi tsu te to da ji zu de do na ni nu ne no ha hi fu he ho ba bi bu be bo pa pi pu pe po ma mi mu me mo ia iu io ra ri ru re ro va o n - -',
  ],
  [
    'कखगघङचछजझञटठडढणतथदधनपफबभमयरलवशषसहळ',
    'ka kha ga gha na cha cha ja jha na ta tha da dha na ta tha da dha na pa pha ba bha ma ia ra la va sha sha sa ha la',
  ],
  ['अआइईउऊएऐओऔऎऒऩऱऴ', 'a a i i u u e ai o au e o na ra zha'],
  ['ंँ॰ः', 'n n n -'],
  [
    'აბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰ',
    'a b g d e v z t i k l m n o p zh r s t u p k gh q sh ch ts dz ts ch kh j h',
  ],
  [
    'աբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆև',
    'a b g d e z e i t zh i l kh ts k h dz gh ch m i n sh o ch p j r s v t r ts u p k o f ev',
  ],
];

/** Vowel signs take the place of the vowel of a consonant; `्` takes it away. */
const vowelSigns: Record<string, string> = {
  'ा': 'a',
  'ि': 'i',
  'ी': 'i',
  'ु': 'u',
  'ू': 'u',
  'े': 'e',
  'ै': 'ai',
  'ो': 'o',
  'ौ': 'au',
  'ॆ': 'e',
  'ॊ': 'o',
  '्': '',
};

const soundOf = new Map(
  alphabets.flatMap(([letters, sounds]) => {
    const list = sounds.split(' ');
    return [...letters].map((letter, index) => [letter, (list[index] ?? '').replace('-', '')] as const);
  }),
);

const initials = 'g kk n d tt r m b pp s ss - j jj ch k t p h'.replace('-', '').split(' ');
const vowels = 'a ae ia iae eo e ieo ie o va vae oe io u veo ve vi iu eu ui i'.split(' ');
const finals = ' k k k n n n t l k m l l l p l m p p t t ng t t k t p t'.split(' ');

const firstSyllable = 0xac00;

const hangulOf = (letter: string): string | undefined => {
  const code = (letter.codePointAt(0) ?? 0) - firstSyllable;
  if (code < 0 || code >= 11_172) return undefined;
  return `${initials[Math.floor(code / 588)]}${vowels[Math.floor((code % 588) / 28)]}${finals[code % 28]}`;
};

/**
 * The letter of Devanagari with the sound of a letter of another Indian script, from Bengali to Malayalam:
 * Unicode has them in the same order.
 */
const devanagariOf = (letter: string): string => {
  const code = letter.codePointAt(0) ?? 0;
  return code >= 0x980 && code < 0xd80 ? String.fromCodePoint(0x900 + (code & 0x7f)) : letter;
};

const katakana = /[\u30a1-\u30f6]/;

const letterOf = (letter: string): string => {
  const hiragana = katakana.test(letter) ? String.fromCharCode(letter.charCodeAt(0) - 0x60) : letter;
  return soundOf.get(hiragana) ?? hangulOf(letter) ?? letter;
};

/** The sign below a letter for a sound of another language, and a Greek vowel of two letters. */
const written: [RegExp, string][] = [
  [/[\u093c\u09bc\u0a3c\u0abc\u0b3c\u0cbc]/g, ''],
  [/ου/g, 'u'],
];

/** Spellings of one sound. */
const same: [RegExp, string][] = [
  [/kh/g, 'h'],
  [/([csz])h/g, '$1'],
  [/ph/g, 'f'],
  [/ee/g, 'i'],
  [/o[ou]/g, 'u'],
  [/[yj]/g, 'i'],
  [/w/g, 'v'],
  [/(.)\1+/g, '$1'],
];

const other =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Georgian}\p{Script=Armenian}\u0900-\u0d7f]/u;

/** Whether a text has letters that can be written as Latin ones. */
export const hasOtherLetters = (text: string): boolean => other.test(text);

/** A text in Latin letters, by its sound. Letters of other alphabets than those above stay as they are. */
export const romanized = (text: string): string => {
  let latin = '';
  const plain = text
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC');
  for (const sign of written.reduce((text, [signs, by]) => text.replace(signs, by), plain)) {
    const letter = devanagariOf(sign);
    const vowel = vowelSigns[letter];
    if (vowel !== undefined) latin = latin.replace(/a$/, '') + vowel;
    else latin += letterOf(letter);
  }
  return same.reduce((spelt, [sound, by]) => spelt.replace(sound, by), latin);
};

/**
 * A romanized word without each `a` after its first letter. Indian scripts have no sign for this vowel, most
 * words end without its sound, and users may leave it out in Latin letters: `सरकारी` is `sarkari`.
 */
export const withoutA = (word: string): string => word.replace(/(?<=.)a/g, '');

/** Whether a text has letters of an Indian script. */
export const isIndian = (text: string): boolean => /[\u0900-\u0d7f]/.test(text);

/**
 * A sound with one letter for those that Korean does not tell apart, which people write in both ways: `김치`
 * is `kimchi` and `gimchi`.
 */
export const voiceless = (sound: string): string =>
  sound
    .replace(/g/g, 'k')
    .replace(/d/g, 't')
    .replace(/b/g, 'p')
    .replace(/(.)\1+/g, '$1');
