/** The type of a value in words, for the tables of the reference. */
import { branches, followed, nameOf, type Schema, schemaOf } from './schema.ts';

const range = ({ minimum, maximum, maxLength, maxItems }: Schema): string[] => [
  ...(minimum !== undefined && maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER
    ? [`${minimum} to ${maximum}`]
    : []),
  ...(maxLength !== undefined ? [`at most ${maxLength.toLocaleString('en')} characters`] : []),
  ...(maxItems !== undefined ? [`at most ${maxItems.toLocaleString('en')}`] : []),
];

export const fewWords = 5;

/** The type of a value, for people. */
export const typeOf = (schema: Schema): string => {
  if (schema.$ref) {
    const target = followed(schema);
    const isScalar = target.type !== 'object';
    return isScalar ? typeOf(target) : `\`${nameOf(schema.$ref)}\``;
  }
  if (schema.anyOf ?? schema.oneOf) return [...new Set(branches(schema).map(typeOf))].join(' or ');
  if (schema.enum) {
    return schema.enum.length <= fewWords ? schema.enum.map((word) => `\`${word}\``).join(' or ') : 'string';
  }
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.type === 'array') {
    const item = typeOf(schemaOf(schema.items ?? {}));
    const items = /^[a-z]+$/.test(item) ? `${item}s` : item;
    const [most] = range(schema);
    return `array of ${items}${most ? ` (${most})` : ''}`;
  }
  return [schema.type ?? '', ...range(schema)].join(', ');
};
