/**
 * Scalars and objects with the coercion of pydantic 2's lax mode (Reading 29). The message of a custom issue
 * is `<pydantic type>: <text>`. `lib/api/validation-errors.ts` converts it, and valibot's own issues, to
 * items of an HTTPValidationError.
 */
import * as v from 'valibot';

const notAnInteger = 'int_parsing: Input should be a valid integer, unable to parse string as an integer';
const tooLarge = 'int_parsing_size: Unable to parse input string as an integer, exceeded maximum size';
const notUnicode =
  'string_unicode: Input should be a valid string, unable to parse raw data as a unicode string';

/** The most digits that pydantic reads, without leading zeros. */
const maxDigits = 4300;

// White space as pydantic trims it: `trim()` has U+FEFF and lacks U+0085. No two adjacent parts of the
// pattern match the same character, so matching a megabyte of zeros takes linear time.
const integerText = /^\p{White_Space}*([+-]?)(\d+)(?:\.0+)?\p{White_Space}*$/u;

const readText = (text: string): number | string => {
  if (!text.isWellFormed()) return notUnicode;
  // pydantic first reads JSON's form of an integer, and stops when it is too long. Any other text that is too
  // long is not an integer.
  if ((/^-?([1-9]\d*)/.exec(text)?.[1]?.length ?? 0) > maxDigits) return tooLarge;
  const [, sign = '', digits = ''] = integerText.exec(text) ?? [];
  const isReadable = digits !== '' && digits.replace(/^0+/, '').length <= maxDigits;
  return isReadable ? Number(sign + digits) : notAnInteger;
};

/** The number, or a message. A number beyond 2^53 is rounded, and may be infinite. */
const readInt = (input: unknown): number | string => {
  if (typeof input === 'boolean' || typeof input === 'bigint') return Number(input);
  if (typeof input === 'string') return readText(input);
  if (typeof input !== 'number') return 'int_type: Input should be a valid integer';
  if (!Number.isFinite(input)) return 'finite_number: Input should be a finite number';
  if (!Number.isInteger(input)) {
    return 'int_from_float: Input should be a valid integer, got a number with a fractional part';
  }
  return Math.abs(input) < 2 ** 63 ? input : tooLarge;
};

const readWith = (read: (input: unknown) => number | string) =>
  v.rawTransform<unknown, number>(({ dataset, addIssue, NEVER }) => {
    const result = read(dataset.value);
    if (typeof result === 'number') return result;
    addIssue({ message: result });
    return NEVER;
  });

const readSafeInt = (input: unknown): number | string => {
  const result = readInt(input);
  return typeof result === 'string' || Number.isSafeInteger(result) ? result : tooLarge;
};

/** An integer within ±(2^53 − 1). Accepts integral numbers, numeric strings and booleans. */
export const Int = v.pipe(v.unknown(), readWith(readSafeInt), v.number(), v.safeInteger());

/** An `Int` within bounds. A number beyond 2^53 is refused by its bound, as in pydantic. */
export const intBetween = <const Min extends number, const Max extends number>(min: Min, max: Max) =>
  v.pipe(v.unknown(), readWith(readInt), v.number(), v.minValue(min), v.maxValue(max), v.integer());

/** A well-formed Unicode string. A string with a lone surrogate can be neither stored nor forwarded. */
export const Text = v.pipe(
  v.string(),
  v.check((text) => text.isWellFormed(), notUnicode),
);

export const withoutNul = v.check(
  (text: string) => !text.includes('\0'),
  'value_error: Value error, contains the character NUL',
);

/** A text that is kept: also without NUL, which files and other programs take for the end of a text. */
export const KeptText = v.pipe(Text, withoutNul);

/**
 * A text that `lib/api/check-postback-urls.ts` checks, because that takes time. The pattern is what JSON
 * Schema can say of it: the embedded stack accepts `http` at a loopback address.
 */
export const WebhookUrl = v.pipe(Text, v.metadata({ pattern: '^(?:[Hh][Tt][Tt][Pp][Ss]?://[^\\s/].*)?$' }));

const trueTexts = ['1', 'on', 't', 'true', 'y', 'yes'];
const falseTexts = ['0', 'off', 'f', 'false', 'n', 'no'];

/** A boolean. Accepts 0 and 1, and the words that pydantic reads as a boolean. */
export const Bool = v.pipe(
  v.unknown(),
  v.rawTransform<unknown, boolean>(({ dataset: { value }, addIssue, NEVER }) => {
    if (typeof value === 'boolean') return value;
    if (value === 0 || value === 1) return value === 1;
    if (typeof value === 'string' && !value.isWellFormed()) {
      addIssue({ message: notUnicode });
      return NEVER;
    }
    const text = typeof value === 'string' ? value.toLowerCase() : '';
    if (trueTexts.includes(text)) return true;
    if (falseTexts.includes(text)) return false;
    const isReadable = typeof value === 'string' || typeof value === 'bigint' || Number.isInteger(value);
    addIssue({
      message: isReadable
        ? 'bool_parsing: Input should be a valid boolean, unable to interpret input'
        : 'bool_type: Input should be a valid boolean',
    });
    return NEVER;
  }),
  v.boolean(),
);

/** One of these strings. */
export const choice = <const Options extends readonly string[]>(options: Options) =>
  v.pipe(
    v.unknown(),
    v.check((input) => typeof input !== 'string' || input.isWellFormed(), notUnicode),
    v.picklist(options),
  );

/**
 * An id in a path. Accepts only canonical digits, so that each resource has exactly one URL. A number beyond
 * 2^53 becomes -1, which is the id of no resource.
 */
export const PathId = v.pipe(
  v.string(),
  v.rawTransform<string, number>(({ dataset, addIssue, NEVER }) => {
    const digits = /^(?:0|-?([1-9]\d*))$/.exec(dataset.value);
    if (!digits) addIssue({ message: notAnInteger });
    else if ((digits[1]?.length ?? 0) > maxDigits) addIssue({ message: tooLarge });
    else return Number.isSafeInteger(Number(dataset.value)) ? Number(dataset.value) : -1;
    return NEVER;
  }),
  v.number(),
  v.integer(),
);

/** An object in client input. Unlike `v.object`, it does not accept an array. */
export const fields = <const Entries extends v.ObjectEntries>(
  entries: Entries,
): v.ObjectSchema<Entries, undefined> => {
  const schema = v.object(entries);
  return {
    ...schema,
    '~run': (dataset, config) =>
      schema['~run'](Array.isArray(dataset.value) ? { value: null } : dataset, config),
  };
};

/** A list in client input. A list that is too long is rejected before its items are validated. */
export const list = <const Item extends v.GenericSchema>(item: Item, maxItems: number) =>
  v.pipe(v.array(v.unknown()), v.maxLength(maxItems), v.array(item));

/** An integer that the service itself produces, such as an id or a count. For client input, use `Int`. */
export const Count = v.pipe(v.number(), v.integer());

/** The least part that is not 0. DynamoDB refuses numbers below 1e-130, also products of such parts. */
export const leastPart = 1e-9;

/** A part of a whole in client input, 0 to 1. One below `leastPart` counts as 0. */
export const Part = v.pipe(
  v.number(),
  v.minValue(0),
  v.maxValue(1),
  v.transform((part) => (part < leastPart ? 0 : part)),
);

/** Unix time in whole seconds. */
export const Seconds = v.pipe(v.number(), v.integer());

/** The days of a month. Every 400 years the calendar repeats. */
const daysOf = (year: number, month: number): number =>
  new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();

const isDigits = (text: string): boolean => /^[0-9]+$/.test(text);

/** What is wrong with a date, in the words of pydantic; undefined if it is one. */
const faultOfDay = (text: string): string | undefined => {
  if (Buffer.byteLength(text) < 10) return 'input is too short';
  const [year, month, day] = [text.slice(0, 4), text.slice(5, 7), text.slice(8, 10)];
  if (!isDigits(year)) return 'invalid character in year';
  if (text[4] !== '-') return 'invalid date separator, expected `-`';
  if (!isDigits(month)) return 'invalid character in month';
  if (text[7] !== '-') return 'invalid date separator, expected `-`';
  if (!isDigits(day)) return 'invalid character in day';
  if (Number(month) < 1 || Number(month) > 12) return 'month value is outside expected range of 1-12';
  if (Number(day) < 1 || Number(day) > daysOf(Number(year), Number(month))) {
    return 'day value is outside expected range';
  }
  if (text.length > 10) return 'unexpected extra characters at the end of the input';
  return Number(year) === 0 ? 'year 0 is out of range' : undefined;
};

/** A day of the calendar as `YYYY-MM-DD`. Unlike pydantic, it accepts no other form. */
export const Day = v.pipe(
  Text,
  v.rawCheck(({ dataset, addIssue }) => {
    const fault = dataset.typed ? faultOfDay(dataset.value) : undefined;
    if (fault) {
      addIssue({
        message: `date_from_datetime_parsing: Input should be a valid date or datetime, ${fault}`,
      });
    }
  }),
  v.metadata({ format: 'date' }),
);
