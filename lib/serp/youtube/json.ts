/** The data of a page: a tree of JSON, and the texts and links in it. */

import { spend } from '../steps.ts';
import { tidy } from '../text.ts';

export type Json = null | boolean | number | string | Json[] | JsonObject;
export type JsonObject = { [key: string]: Json };

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value at a path of keys; undefined if there is none. */
export const at = (value: Json | undefined, ...path: (string | number)[]): Json | undefined => {
  let found = value;
  for (const key of path) {
    if (Array.isArray(found)) found = found[Number(key)];
    else if (isObject(found) && Object.hasOwn(found, key)) found = found[key];
    else return undefined;
  }
  return found;
};

export const stringAt = (value: Json | undefined, ...path: (string | number)[]): string => {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : '';
};

/**
 * A text in any of the engine's forms: a string, `simpleText`, `content` or `runs`. Empty for anything else.
 */
export const textOf = (value: Json | undefined): string => {
  if (typeof value === 'string') return tidy(value);
  if (!isObject(value)) return '';
  if (Array.isArray(value.runs)) return tidy(value.runs.map((run) => stringAt(run, 'text')).join(''));
  return tidy(stringAt(value, 'simpleText') || stringAt(value, 'content'));
};

/** The first of the fields that has a text. */
export const firstText = (value: JsonObject, ...names: string[]): string => {
  for (const name of names) {
    const text = textOf(at(value, name));
    if (text !== '') return text;
  }
  return '';
};

type Frame<Place> = { value: JsonObject | Json[]; name: string; place: Place };

/** So many values of a list that are no objects take as long as one object. */
const valuesOfStep = 32;

/**
 * Visits all objects with their names, in page order. An object in a list has the name of the list. `visit`
 * returns the place of what is in the object; null skips it, undefined ends the walk. Does not recurse.
 */
export const walk = <Place>(
  top: Json,
  place: Place,
  visit: (object: JsonObject, name: string, place: Place) => Place | null | undefined,
): void => {
  const stack: Frame<Place>[] = [];
  const push = (value: Json | undefined, name: string, at: Place): void => {
    if (typeof value === 'object' && value !== null) stack.push({ value, name, place: at });
  };
  push(top, '', place);
  for (let frame = stack.pop(); frame; frame = stack.pop()) {
    const { value, name } = frame;
    if (Array.isArray(value)) {
      spend(1 + value.length / valuesOfStep);
      for (let n = value.length - 1; n >= 0; n -= 1) push(value[n], name, frame.place);
      continue;
    }
    spend(1);
    const inside = visit(value, name, frame.place);
    if (inside === undefined) return;
    if (inside === null) continue;
    const keys = Object.keys(value);
    for (let n = keys.length - 1; n >= 0; n -= 1) push(value[keys[n] ?? ''], keys[n] ?? '', inside);
  }
};

/** What `read` finds in the first object in which it finds anything; undefined if there is none. */
export const findIn = <Found>(
  top: Json | undefined,
  read: (object: JsonObject, name: string) => Found | undefined,
): Found | undefined => {
  let found: Found | undefined;
  walk(top ?? null, true, (object, name) => {
    found = read(object, name);
    return found === undefined ? true : undefined;
  });
  return found;
};

/** The first text in any of the fields, in the object or anywhere in it. */
export const textIn = (top: Json | undefined, ...names: string[]): string =>
  findIn(top, (object) => firstText(object, ...names) || undefined) ?? '';
