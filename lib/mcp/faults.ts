/** What is wrong with the arguments of a call, in sentences by which a model can correct them. */
import type { ValidationError } from '../model/http-error.ts';
import { nearest } from '../model/nearest.ts';
import { quote } from '../model/quote.ts';

/** Errors of a call that are named. The others are counted. */
const maxNamed = 20;

/** Characters of a name that somebody can have mistyped. */
const maxTyped = 40;

/** The errors of arguments that a tool does not have. `known`: those that it has. */
export const unknownArguments = (names: readonly string[], known: readonly string[]): ValidationError[] => {
  const list = known.join(', ');
  return names.map((name, n) => {
    // Comparing names takes time, so only the names that the error lists are compared.
    const meant = n < maxNamed && name.length <= maxTyped ? nearest(name, known) : undefined;
    const msg = `There is no such argument${meant ? `, but there is ${meant}` : ''}: the arguments are ${list}`;
    return { loc: ['body', name], type: 'extra_forbidden', msg };
  });
};

/** A name as the client wrote it is quoted if it is not one of the tool's. */
const nameOf = ([, name, ...rest]: ValidationError['loc'], known: object): string => {
  if (name === undefined) return 'arguments';
  const first = String(name);
  return [Object.hasOwn(known, first) ? first : quote(first), ...rest.map((key) => quote(String(key)))].join(
    '.',
  );
};

/** The sentence of an error, which begins with the name of its argument. */
const phraseOf = ({ type, msg }: ValidationError): string => {
  if (type === 'missing') return ' is missing';
  if (/^(?:Input|String|List) should /.test(msg)) return msg.replace(/^\w+ should/, ' must');
  const text = msg.replace(/^Value error, /, '');
  if (text.startsWith('not ')) return ` is ${text}`;
  return text.startsWith('contains ') ? ` ${text}` : `: ${text}`;
};

/** `properties`: the arguments of the tool, with their descriptions. */
export const faultText = (
  errors: readonly ValidationError[],
  properties: Record<string, { description?: string }>,
): string => {
  const sentences = errors.slice(0, maxNamed).map((error) => {
    const about = properties[String(error.loc[1])]?.description;
    return `${nameOf(error.loc, properties)}${phraseOf(error)}.${about ? ` Hint: ${about}.` : ''}`;
  });
  const more = errors.length - sentences.length;
  return [
    `The call is refused. Correct ${errors.length === 1 ? 'this argument' : 'these arguments'} and call again.`,
    ...sentences,
    ...(more > 0 ? [`${more} more ${more === 1 ? 'error is' : 'errors are'} left out.`] : []),
  ].join(' ');
};
