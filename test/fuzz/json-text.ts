/**
 * Random JSON texts for a schema of the OpenAPI document. They are texts, because a lone surrogate, `1e400`
 * or a name that occurs twice does not survive as a JavaScript value.
 */
import fc from 'fast-check';
import { anyCharacter } from '../any-character.ts';

/** The words of JSON Schema that the document uses in requests. */
export type Schema = {
  $ref?: string;
  /** A list is a type and `null`. */
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  examples?: unknown[];
};

/** The schemas of one type between which a schema is a choice. Empty if it has one type. */
export const branchesOf = ({ anyOf = [], type, enum: words, ...rest }: Schema): Schema[] =>
  Array.isArray(type)
    ? type.map((each) =>
        each === 'null'
          ? { type: each }
          : { ...rest, type: each, ...(words && { enum: words.filter((word) => word !== null) }) },
      )
    : anyOf;

const json = (value: unknown): string => JSON.stringify(value) ?? 'null';

const anyText = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 6 }),
  fc.string({ unit: 'grapheme', maxLength: 6 }),
  fc.string({ maxLength: 12 }),
);

/** Values that no field expects, or that some readers of JSON read wrongly. */
const strangeTokens = [
  'null',
  'true',
  'false',
  '0',
  '-0',
  '-1',
  '1',
  '1.5',
  '24.0',
  '1e2',
  '1e19',
  '1e400',
  '-1e400',
  '1e-400',
  '9007199254740993',
  '9223372036854775807',
  '9223372036854775808',
  '1'.repeat(400),
  '"1"',
  '" 24 "',
  '"٣"',
  '"1_000"',
  '"NaN"',
  '""',
  '" "',
  '"\\ud800"',
  '"a\\udc00b"',
  '"\\u0000"',
  '"\\ufeff"',
  '"😀"',
  json('a'.repeat(5000)),
  json('1'.repeat(5000)),
  '[]',
  '{}',
  '[null]',
  '[[]]',
  '[{}]',
  '{"":1}',
  '{"__proto__":{"a":1}}',
  '{"constructor":{"prototype":1}}',
  '{"toString":null}',
  '"https://93.184.216.34/hook"',
  '"http://127.0.0.1/"',
  '"https://user:secret@[::1]:99999/"',
  '"ftp://example.com/"',
  `${'['.repeat(3000)}${']'.repeat(3000)}`,
  `${'{"a":'.repeat(3000)}1${'}'.repeat(3000)}`,
];

/** JSON that has nothing to do with a schema. */
export const anyToken: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...strangeTokens) },
  { weight: 1, arbitrary: anyText.map(json) },
  { weight: 1, arbitrary: fc.json({ maxDepth: 2 }) },
  { weight: 1, arbitrary: fc.integer({ min: -(2 ** 53), max: 2 ** 53 }).map(json) },
);

/** Text that is not JSON, or not quite. */
export const brokenText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '{',
    '[1,]',
    '{"a":}',
    "{'a':1}",
    'NaN',
    '-Infinity',
    '01',
    '"\n"',
    '\ufeff{}',
    'null x',
    '{"a":1}{',
  ),
  anyText,
);

const withBounds = ({ minimum, maximum }: Schema): fc.Arbitrary<string> => {
  const bounds = [minimum, maximum].filter((bound) => bound !== undefined);
  return fc.oneof(
    fc.integer({ min: Math.max(minimum ?? -1e6, -1e6), max: Math.min(maximum ?? 1e6, 1e6) }).map(json),
    ...bounds.map((bound) => fc.constantFrom(bound - 1, bound, bound + 1).map(json)),
  );
};

const stringFor = ({ pattern, minLength = 0, maxLength }: Schema): fc.Arbitrary<string> => {
  if (pattern) return fc.stringMatching(new RegExp(pattern)).map(json);
  const most = maxLength ?? 0;
  const around = fc.constantFrom(minLength, most, most + 1).map((length) => json('é'.repeat(length)));
  return maxLength === undefined
    ? anyText.map(json)
    : fc.oneof({ weight: 6, arbitrary: anyText.map(json) }, { weight: 1, arbitrary: around });
};

/**
 * An object with the required members and some of the others. An odd one can lack a member, or have an
 * unknown one, or one twice.
 */
const objectFor = (
  { properties = {}, required = [] }: Schema,
  member: (schema: Schema) => fc.Arbitrary<string>,
  isOdd: boolean,
): fc.Arbitrary<string> => {
  const members = Object.entries(properties).map(([name, schema]) => {
    const present = member(schema).map((text) => `${json(name)}:${text}`);
    if (required.includes(name)) return fc.option(present, { freq: isOdd ? 30 : 1e9 });
    return fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: present });
  });
  const names = fc.constantFrom(
    'other',
    '',
    '__proto__',
    'constructor',
    'Keyword',
    ...Object.keys(properties),
  );
  const surplus = fc.tuple(names, anyToken).map(([name, text]) => `${json(name)}:${text}`);
  const odd = isOdd
    ? [fc.oneof({ weight: 12, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: surplus })]
    : [];
  return fc.tuple(...members, ...odd).map((texts) => `{${texts.filter((text) => text !== null).join(',')}}`);
};

/** Lists are short, so that a request creates few tasks. An odd one can be longer than a batch may be. */
const arrayFor = ({ minItems = 0, maxItems = 3 }: Schema, item: fc.Arbitrary<string>, isOdd: boolean) => {
  const few = fc
    .array(item, { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, 3)) })
    .map((texts) => `[${texts.join(',')}]`);
  const many = fc
    .constantFrom(maxItems, maxItems + 1)
    .map((count) => `[${Array(count).fill('1').join(',')}]`);
  return isOdd ? fc.oneof({ weight: 12, arbitrary: few }, { weight: 1, arbitrary: many }) : few;
};

/**
 * JSON texts for schemas of a document. `resolve` finds the schema of a `$ref`. Texts are valid for the
 * schema; those of `odd` are valid except for a value, a name or a length here and there.
 */
export const jsonTexts = (resolve: (reference: string) => Schema) => {
  const made = new Map<Schema, Map<boolean, fc.Arbitrary<string>>>();

  const make = (schema: Schema, isOdd: boolean): fc.Arbitrary<string> => {
    const inner = (each: Schema) => text(each, isOdd);
    const { $ref, type, examples } = schema;
    const branches = branchesOf(schema);
    if ($ref) return inner(resolve($ref));
    if ('const' in schema) return fc.constant(json(schema.const));
    if (schema.enum) return fc.constantFrom(...schema.enum.map(json));
    const good =
      branches.length > 0
        ? fc.oneof(...branches.map(inner))
        : type === 'object'
          ? objectFor(schema, inner, isOdd)
          : type === 'array'
            ? arrayFor(schema, schema.items ? inner(schema.items) : anyToken, isOdd)
            : type === 'integer' || type === 'number'
              ? withBounds(schema)
              : type === 'boolean'
                ? fc.constantFrom('true', 'false')
                : type === 'null'
                  ? fc.constant('null')
                  : stringFor(schema);
    return examples
      ? fc.oneof(
          { weight: 5, arbitrary: fc.constantFrom(...examples.map(json)) },
          { weight: 1, arbitrary: good },
        )
      : good;
  };

  const text = (schema: Schema, isOdd: boolean): fc.Arbitrary<string> => {
    const byOddity = made.get(schema) ?? new Map<boolean, fc.Arbitrary<string>>();
    made.set(schema, byOddity);
    const good = byOddity.get(isOdd) ?? make(schema, isOdd);
    byOddity.set(isOdd, good);
    return isOdd ? fc.oneof({ weight: 16, arbitrary: good }, { weight: 1, arbitrary: anyToken }) : good;
  };

  return { valid: (schema: Schema) => text(schema, false), odd: (schema: Schema) => text(schema, true) };
};
