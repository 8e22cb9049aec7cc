/**
 * Random requests, each in two forms: the one that our service gets, and the one that the reference gets.
 * They differ only where a reading or the recorded cases (`test/bad-inputs.json`) decide against pydantic:
 * there the reference gets a value that it answers as the decision says. Values are JSON text, because most
 * of the interesting ones do not survive a JavaScript value.
 */
import fc from 'fast-check';
import { anyCharacter } from '../any-character.ts';
import { batchPath, onePath } from '../contract/service.ts';

type Pair = { ours: string; theirs: string };

export type Request = {
  method: 'GET' | 'POST';
  contentType: string | null;
  path: Pair;
  body: Pair | null;
};

const same = (text: string): Pair => ({ ours: text, theirs: text });

const join = (pairs: readonly Pair[], [open, separator, close]: [string, string, string]): Pair => ({
  ours: open + pairs.map(({ ours }) => ours).join(separator) + close,
  theirs: open + pairs.map(({ theirs }) => theirs).join(separator) + close,
});

/** White space of Unicode, as Rust trims it. */
const space = '(?:(?!\\ufeff)[\\s\\x85])*';
const integerText = new RegExp(`^${space}([+-]?\\d+)(?:\\.0+)?${space}$`);

/** A whole number that a JavaScript number cannot represent exactly. */
const isUnsafe = (number: number): boolean =>
  Number.isInteger(number) ? !Number.isSafeInteger(number) : !Number.isFinite(number);

type Members = Record<string, fc.Arbitrary<Pair>>;

type Field = 'integer' | 'bounded integer' | 'other';

/** What the reference gets instead of a value, so that its answer is the decided one. */
const decided = (field: Field, token: string): string => {
  // Only JSON is JSON (the specification: invalid JSON is 400). Python also reads these words.
  if (/^-?(NaN|Infinity)$/.test(token)) return 'no JSON';
  if (/^-?\d/.test(token)) {
    // Reading 29: infinite numbers are `finite_number`. Python reads any number of digits exactly.
    if (!Number.isFinite(Number(token))) return '1e400';
    // Reading 29: an integer beyond 2^53 is `int_parsing_size`. Bounds come first.
    return field === 'integer' && isUnsafe(Number(token)) ? '1e19' : token;
  }
  if (!token.startsWith('"') || field === 'other') return token;
  const text: string = JSON.parse(token);
  if (!text.isWellFormed()) return token;
  // pydantic reads at most 4,300 digits, and this comes before everything else.
  if (/\d{4301}/.test(text.replace(/^[^1-9]*/, ''))) return token;
  // Recorded cases B067, B101, B207 and B241: underscores between digits are Python's own.
  if (text.includes('_')) return '"x"';
  const digits = integerText.exec(text)?.[1];
  return field === 'integer' && digits && isUnsafe(Number(digits)) ? '1e19' : token;
};

const pairFor = (field: Field, tokens: fc.Arbitrary<string>): fc.Arbitrary<Pair> =>
  tokens.map((token) => ({ ours: token, theirs: decided(field, token) }));

const digit = fc.constantFrom(...'0123456789');
const digits = (minLength: number, maxLength: number) => fc.string({ unit: digit, minLength, maxLength });

/** Digits up to and around the limits: 2^53, 2^63, the largest double (309 digits) and Python's 4,300. */
const manyDigits = fc.oneof(
  { weight: 12, arbitrary: digits(1, 4) },
  { weight: 6, arbitrary: digits(14, 24) },
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      '9007199254740991',
      '9007199254740992',
      '9223372036854774784',
      '9223372036854775807',
      '9223372036854775808',
      '18446744073709551616',
    ),
  },
  { weight: 1, arbitrary: digits(305, 312) },
  { weight: 1, arbitrary: digits(4298, 4303) },
);

/** White space, and characters that some languages count as such. */
const spaces = fc.string({
  unit: fc.constantFrom(...' \t\n\v\f\r\x1c\x1f\x85\xa0\u1680\u180e\u2003\u200b\u2028\u3000\ufeff\0'),
  maxLength: 2,
});

const almostInteger = fc
  .tuple(
    fc.oneof({ weight: 4, arbitrary: fc.constant('') }, { weight: 1, arbitrary: spaces }),
    fc.constantFrom('', '', '', '+', '-', '--', '+-', '+ '),
    fc.constantFrom('', '', '', '0', '00', '0_', '_'),
    manyDigits,
    fc.constantFrom(
      '',
      '',
      '',
      '',
      '.',
      '.0',
      '.00',
      '.5',
      '_',
      '_0',
      '__0',
      '.0_0',
      'e1',
      'x',
      '\ud800',
      '٣',
    ),
    fc.oneof({ weight: 4, arbitrary: fc.constant('') }, { weight: 1, arbitrary: spaces }),
  )
  .map((parts) => JSON.stringify(parts.join('')));

const numberToken = fc
  .tuple(
    fc.constantFrom('', '', '-'),
    manyDigits.map((text) => text.replace(/^0+(?=\d)/, '')),
    fc.constantFrom(
      '',
      '',
      '',
      '',
      '.0',
      '.5',
      '.00',
      '.49',
      'e0',
      'E+1',
      'e-1',
      'e3',
      '.5e1',
      'e300',
      'e-400',
      'e400',
    ),
  )
  .map((parts) => parts.join(''));

const brokenPair = fc.constantFrom(
  '"\\ud800"',
  '"a\\udc00"',
  '"\\ude00\\ud83d"',
  '"1\\ud800"',
  '"\\ud83d\\ude00"',
);
const anyString = fc
  .oneof(
    fc.string({ unit: anyCharacter, maxLength: 5 }),
    fc.string({ unit: 'grapheme', maxLength: 5 }),
    fc.string(),
  )
  .map((text) => JSON.stringify(text));
const otherToken = fc.constantFrom(
  'null',
  'true',
  'false',
  '[]',
  '{}',
  '[1]',
  '{"a":1}',
  '[null]',
  '""',
  '" "',
);
const noJson = fc.constantFrom('NaN', 'Infinity', '-Infinity');

const usually = (good: fc.Arbitrary<string>, odd: fc.Arbitrary<string>, times: number) =>
  fc.oneof({ weight: times, arbitrary: good }, { weight: 1, arbitrary: odd });

const oddToken = fc.oneof(
  { weight: 8, arbitrary: otherToken },
  { weight: 8, arbitrary: brokenPair },
  { weight: 6, arbitrary: anyString },
  { weight: 6, arbitrary: numberToken },
  { weight: 1, arbitrary: noJson },
);
const integerToken = fc.oneof(almostInteger, numberToken, almostInteger, oddToken);

const integer = pairFor('integer', usually(fc.constantFrom('0', '"24"', '-7', '24.0'), integerToken, 1));
const depth = pairFor('bounded integer', usually(fc.constantFrom('1', '"20"', '100'), integerToken, 1));
const textField = (good: fc.Arbitrary<string>) => pairFor('other', usually(good, oddToken, 12));
const text = textField(anyString);

const longKeyword = fc
  .tuple(fc.constantFrom('a', '😀', 'é'), fc.constantFrom(2047, 2048, 2049))
  .map(([unit, length]) => JSON.stringify(unit.repeat(length)));

/**
 * An object with most of the required members, some of the others, and now and then a member twice: the last
 * one counts.
 */
const objectOf = (required: Members, optional: Members): fc.Arbitrary<Pair> => {
  const present = ([name, value]: [string, fc.Arbitrary<Pair>]) =>
    value.map(({ ours, theirs }) => ({
      ours: `${JSON.stringify(name)}:${ours}`,
      theirs: `${JSON.stringify(name)}:${theirs}`,
    }));
  const often = Object.entries(required).map((member) => fc.option(present(member), { freq: 50 }));
  const seldom = Object.entries(optional).map((member) =>
    fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: present(member) }),
  );
  const any = fc.oneof(...Object.entries({ ...required, ...optional }).map(present));
  const again = fc.oneof({ weight: 20, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: any });
  return fc.tuple(...often, ...seldom, again).map((members) =>
    join(
      members.filter((member) => member !== null),
      ['{', ',', '}'],
    ),
  );
};

const competitor = objectOf({ keyword_id: integer, competitor: text, type: text }, { other: text });
const competitors = fc.oneof(
  { weight: 6, arbitrary: fc.array(competitor, { maxLength: 3 }).map((list) => join(list, ['[', ',', ']'])) },
  { weight: 2, arbitrary: pairFor('other', oddToken) },
  { weight: 1, arbitrary: fc.constantFrom(1000, 1001).map((n) => same(`[${Array(n).fill('1').join()}]`)) },
);

const oddCode = fc.constantFrom('"U"', '"USA"', '"U1"', '"US\\n"', '"ÜS"', '""');
/** Reading 28 refuses a keyword of white space, and one with the character NUL. The reference does not. */
const hasWords = (token: string): boolean => {
  const text = String(JSON.parse(token));
  return (
    !text.includes('\0') && text.replace(/[\p{White_Space}\p{Default_Ignorable_Code_Point}]/gu, '') !== ''
  );
};
/** Whether a token is no text without words. The empty text has an error of its own. */
const isNoBlank = (token: string): boolean =>
  !token.startsWith('"') || token === '""' || !token.endsWith('"') || hasWords(token);
const keyword = fc.oneof(
  { weight: 20, arbitrary: anyString.filter(hasWords) },
  { weight: 1, arbitrary: longKeyword },
);

/** Reading 28 compares a place with the country. No place of the table begins so. */
const placeText = textField(anyString.map((token) => `"# ${token.slice(1)}`));

const crawlRequest = objectOf(
  {
    keyword: pairFor('other', usually(keyword, oddToken.filter(isNoBlank), 12)),
    location_name: placeText,
    iso_code: textField(
      fc.oneof(
        { weight: 20, arbitrary: fc.constantFrom('"US"', '"uk"', '"XX"') },
        { weight: 1, arbitrary: oddCode },
      ),
    ),
  },
  {
    domain: textField(fc.constantFrom('null', '"example.com"')),
    business_name: text,
    competitors,
    frequency: integer,
    device: textField(fc.constantFrom('"mobile"', '"desktop"', '"Mobile"')),
    se_id: integer,
    engine_domain: textField(
      fc.constantFrom('""', '"google.com"', '"www.Google.de"', '"google.com"', '"bing.com"'),
    ),
    language_code: textField(fc.constantFrom('""', '"en"', '"iw"', '"xx"')),
    // Reading 36 checks addresses beyond pydantic, so a text here is an address that it accepts, or no text
    // at all.
    postback_url: pairFor(
      'other',
      fc.constantFrom('null', '"https://93.184.216.34/hook"', '1', '[]', '"\\ud800"'),
    ),
    post_id: text,
    keyword_id: integer,
    priority: integer,
    depth,
    other: text,
    ['__proto__']: integer,
  },
);

const oddBody = pairFor('other', fc.oneof(oddToken, fc.constant('')));
const object = fc.oneof({ weight: 30, arbitrary: crawlRequest }, { weight: 1, arbitrary: oddBody });
const batch = fc.oneof(
  { weight: 30, arbitrary: fc.array(object, { maxLength: 3 }).map((list) => join(list, ['[', ',', ']'])) },
  { weight: 2, arbitrary: oddBody },
  { weight: 1, arbitrary: fc.constantFrom(1000, 1001).map((n) => same(`[${Array(n).fill('{}').join()}]`)) },
);

/**
 * A body with one part replaced, so mostly no JSON. None has a null byte, because Python would read UTF-16,
 * and JSON is UTF-8.
 */
const brokenBody = fc
  .tuple(
    fc.constantFrom('{"keyword":"k","location_name":"L","iso_code":"US","depth":10}', '[]', '{}', '1', '"x"'),
    fc.nat(62),
    fc.nat(2),
    fc.constantFrom(
      '',
      '{',
      '}',
      '[',
      ']',
      '"',
      ',',
      ':',
      '\\',
      '0',
      '-',
      '.',
      'e',
      ' ',
      '\t',
      '\xa0',
      'é',
      '//',
      "'",
    ),
  )
  .map(([body, start, length, text]) => same(body.slice(0, start) + text + body.slice(start + length)));

const contentType = fc.oneof(
  { weight: 20, arbitrary: fc.constant('application/json') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      null,
      '',
      'application/json; charset=utf-8',
      'APPLICATION/JSON',
      'application/vnd.api+json',
      'application/jsonx',
      'text/json',
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=a',
    ),
  },
);

const post = fc
  .tuple(
    contentType,
    fc.oneof(
      { weight: 12, arbitrary: fc.tuple(fc.constant(same(onePath)), object) },
      { weight: 4, arbitrary: fc.tuple(fc.constant(same(batchPath)), batch) },
      { weight: 1, arbitrary: fc.tuple(fc.constantFrom(same(onePath), same(batchPath)), brokenBody) },
    ),
  )
  .map(([type, [path, body]]): Request => ({ method: 'POST', contentType: type, path, body }));

/** Reading 29: an integer in a path is canonical. */
const canonical = /^(0|-?[1-9]\d*)$/;

const id = fc
  .oneof(
    manyDigits,
    almostInteger.map((token): string => JSON.parse(token).toWellFormed()),
    fc.string({ unit: 'grapheme' }),
  )
  .filter((text) => text !== '' && text !== '.' && text !== '..')
  .map((text) => {
    const isDecided = !text.includes('/') && !canonical.test(text);
    return { ours: encodeURIComponent(text), theirs: isDecided ? 'x' : encodeURIComponent(text) };
  });

/** Not the encoding of any text. */
const oddEncoding = fc.constantFrom('%', '%zz', '%ff', '%ed%a0%80').map(same);

const get = fc
  .oneof({ weight: 10, arbitrary: id }, { weight: 1, arbitrary: oddEncoding })
  .map(({ ours, theirs }): Request => {
    const path = { ours: `${onePath}/${ours}`, theirs: `${onePath}/${theirs}` };
    return { method: 'GET', contentType: null, path, body: null };
  });

export const request = fc.oneof({ weight: 12, arbitrary: post }, { weight: 1, arbitrary: get });
