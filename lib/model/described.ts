/**
 * The schemas have the text of the reference: the meaning of a field, with examples of its value, where
 * the field is defined, and the name of a schema in the OpenAPI document. They have no effect on what a
 * schema accepts.
 */
import * as v from 'valibot';

/**
 * A field with its meaning and examples of its value. The first example is the one of requests and replies.
 */
export const described = /* @__NO_SIDE_EFFECTS__ */ <const Schema extends v.GenericSchema>(
  schema: Schema,
  meaning: string,
  ...examples: v.InferOutput<Schema>[]
) => v.pipe(schema, v.description(meaning), v.examples(examples));

/** A field that has the meaning and the examples of another one. */
export const describedAs = /* @__NO_SIDE_EFFECTS__ */ <const Schema extends v.GenericSchema>(
  schema: Schema,
  other: v.GenericSchema,
) =>
  v.pipe(
    schema,
    v.description(v.getDescription(other) ?? ''),
    v.examples(v.getExamples(other) as v.InferOutput<Schema>[]),
  );

/** A schema that the OpenAPI document names. Everything that refers to it there uses its name. */
export const component = /* @__NO_SIDE_EFFECTS__ */ <const Schema extends v.GenericSchema>(
  name: string,
  meaning: string,
  schema: Schema,
) => v.pipe(schema, v.description(meaning), v.title(name));

/** A meaning, and below it that of each word of an enumeration, as a list in Markdown. */
export const withWords = /* @__NO_SIDE_EFFECTS__ */ (
  meaning: string,
  words: Record<string, string>,
): string =>
  `${meaning}:\n\n${Object.entries(words)
    .map(([word, text]) => `- \`${word}\`: ${text}`)
    .join('\n')}`;

/** The words of an enumeration whose meanings are known. */
export const keysOf = /* @__NO_SIDE_EFFECTS__ */ <Word extends string>(words: Record<Word, string>): Word[] =>
  Object.keys(words) as Word[];

/**
 * An enumeration that has words of another one. Clients in Go have one name for each constant, so the
 * document names these: `awaiting` of a `Page` is `PageAwaiting`.
 */
export const statesOf = /* @__NO_SIDE_EFFECTS__ */ <Word extends string>(
  owner: string,
  meanings: Record<Word, string>,
) => {
  const words = keysOf(meanings);
  const names = words.map(
    (word) => owner + word.replace(/(?:^|_)(.)/g, (_, first: string) => first.toUpperCase()),
  );
  return v.pipe(v.picklist(words), v.metadata({ 'x-enum-varnames': names }));
};
