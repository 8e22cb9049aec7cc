/** The tasks in a request of DataForSEO's form, and their fields. */

import { sentenceOf } from '../../api/dialect.ts';
import { HttpError } from '../../model/http-error.ts';
import { languageLines } from '../../model/territories.ts';
import { bodyOf } from '../body.ts';
import { asParameters, type Parameters, textIn } from '../read.ts';
import { invalidField, type Outcome, type Status, statusOf } from './envelope.ts';

/** A task that cannot be accepted: its code and message. */
export class TaskRefused extends Error {
  status: Status;
  constructor(status: Status) {
    super(status.status_message);
    this.name = 'TaskRefused';
    this.status = status;
  }
}

export const refuseField = (name: string, why = ''): never => {
  throw new TaskRefused(invalidField(name, why));
};

export const textOf = (parameters: Parameters, name: string): string => {
  try {
    return textIn(parameters, name);
  } catch (error) {
    if (error instanceof HttpError) return refuseField(name, 'It must be a text.');
    throw error;
  }
};

export const numberOf = (
  parameters: Parameters,
  name: string,
  least: number,
  most: number,
): number | undefined => {
  const text = textOf(parameters, name);
  if (text === '') return undefined;
  const number = /^-?\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  return number >= least && number <= most
    ? number
    : refuseField(name, `It must be a whole number from ${least} to ${most}.`);
};

/** Language codes by their names in small letters. */
export const languagesByName = (): Map<string, string> =>
  new Map(
    languageLines
      .trim()
      .split('\n')
      .map((line) => line.split('|'))
      .map(([code = '', name = '']) => [name.toLowerCase(), code]),
  );

/** The language that a task names, by its code or its name; empty if it names none. @throws TaskRefused. */
export const languageNamed = (parameters: Parameters): string => {
  const code = textOf(parameters, 'language_code');
  const name = textOf(parameters, 'language_name');
  if (code !== '' || name === '') return code;
  return languagesByName().get(name.toLowerCase()) ?? refuseField('language_name');
};

/** Parameters that name what another one names, too: the latter has the effect. */
const sameAs = { location_name: 'location_code', language_name: 'language_code' } as const;

/** A sentence for each name that has no effect, because its code is there, too. */
export const unusedNames = (parameters: Parameters): string[] =>
  Object.entries(sameAs)
    .filter((names) => names.every((name) => textOf(parameters, name) !== ''))
    .map(([name, code]) => `${name} has no effect beside ${code}.`);

/** Characters of a tag. */
const longestTag = 255;

export const tagIn = (parameters: Parameters): string => {
  const tag = textOf(parameters, 'tag');
  return tag.length > longestTag ? refuseField('tag', `It may have ${longestTag} characters.`) : tag;
};

/** The task in an element of the request. @throws TaskRefused if it is no object. */
export const parametersIn = (value: unknown): Parameters => {
  const parameters = asParameters(value);
  if (!parameters) throw new TaskRefused(invalidField('keyword', 'A task must be an object.'));
  return parameters;
};

/** The tasks of a body: a list, or an object with the numbers of a list as its names. */
export const tasksIn = (body: unknown): unknown[] => {
  const value = bodyOf(body);
  if (Array.isArray(value)) return value;
  const object = asParameters(value);
  if (!object) return [];
  return Object.keys(object).every((name) => /^\d+$/.test(name)) ? Object.values(object) : [object];
};

/** The outcome of a task that cannot be accepted. Rethrows anything else. */
export const refusalOf = (error: unknown): Outcome => {
  if (error instanceof TaskRefused) return error.status;
  if (!(error instanceof HttpError) || error.statusCode >= 500) throw error;
  const { detail } = error;
  const [first] = typeof detail === 'string' ? [] : detail;
  return first
    ? invalidField(String(first.loc[1] ?? 'keyword'), `${first.msg}.`)
    : statusOf(40503, sentenceOf(error));
};
