/**
 * Hostile pages of YouTube, whose results are JSON in a script: a long text in each field, each object many
 * times and in itself, and data that ends late or never.
 */

import { readData } from '../../lib/serp/youtube/data.ts';
import { isObject, type Json, type JsonObject } from '../../lib/serp/youtube/json.ts';
import type { HostilePage } from './hostile-page.ts';
import { sandboxPages } from './sandbox-page.ts';
import { filled, texts } from './texts.ts';

const engine = 'youtube';

const mark = '\u0001MARK\u0001';
const markInJson = JSON.stringify(mark);

/** Every value with its names from the top. The indexes of lists do not count. */
const valuesIn = (top: Json): Map<string, (string | number)[]> => {
  const found = new Map<string, (string | number)[]>();
  const visit = (value: Json, path: (string | number)[]): void => {
    const kind = `${path
      .filter((name) => typeof name === 'string')
      .slice(-4)
      .join('.')} ${Array.isArray(value) ? 'list' : typeof value}`;
    if (!found.has(kind)) found.set(kind, path);
    if (Array.isArray(value)) for (const [n, each] of value.entries()) visit(each, [...path, n]);
    else if (isObject(value)) for (const [name, each] of Object.entries(value)) visit(each, [...path, name]);
  };
  visit(top, []);
  return found;
};

const valueAt = (top: Json, path: (string | number)[]): Json => {
  let value: Json | undefined = top;
  for (const name of path) value = (value as JsonObject)[name as string];
  return value ?? null;
};

/** The JSON of the data before and after the value at a path. */
const around = (top: JsonObject, path: (string | number)[]): [before: string, after: string] => {
  const copy = structuredClone(top);
  const parent = valueAt(copy, path.slice(0, -1)) as JsonObject;
  parent[path.at(-1) as string] = mark;
  const [before = '', after = ''] = JSON.stringify(copy).split(markInJson);
  return [before, after];
};

const pageOf = (data: string): string =>
  `<!doctype html><html lang="en"><head><title>a</title></head><body><script>var ytInitialData=${data};</script></body></html>`;

const inData = (
  path: (string | number)[],
  data: JsonObject,
  content: (bytes: number) => string,
): HostilePage['of'] => {
  const [before, after] = around(data, path);
  return (bytes) => pageOf(before + content(Math.max(0, bytes - before.length - after.length)) + after);
};

const longestObject = 6000;

const fieldPages = (data: JsonObject, seed: number): HostilePage[] =>
  [...valuesIn(data)].flatMap(([kind, path], n): HostilePage[] => {
    if (path.length === 0) return [];
    const value = valueAt(data, path);
    const json = JSON.stringify(value);
    if (typeof value === 'string') {
      const text = texts[(n * 7 + seed * 13) % texts.length] ?? { name: '', piece: 'a' };
      const escaped = JSON.stringify(text.piece).slice(1, -1);
      const content = (bytes: number) =>
        `${json.slice(0, -1)}${escaped.repeat(Math.ceil(bytes / escaped.length))}"`;
      return [{ engine, name: `${text.name} in ${kind}`, of: inData(path, data, content) }];
    }
    if (typeof value !== 'object' || value === null || json.length > longestObject) return [];
    const name = path.at(-1);
    const list = (bytes: number) => `[${filled(`${json},`, bytes - (bytes % (json.length + 1)))}${json}]`;
    const level = Array.isArray(value) ? '[' : `{${JSON.stringify(String(name))}:`;
    const end = Array.isArray(value) ? ']' : '}';
    const deep = (bytes: number) => {
      const depth = Math.ceil(bytes / (level.length + 1));
      return level.repeat(depth) + json + end.repeat(depth);
    };
    return [
      { engine, name: `${kind} many times`, of: inData(path, data, list) },
      { engine, name: `${kind} in itself`, of: inData(path, data, deep) },
    ];
  });

/** The object of a list, again and again with all that it contains. */
const itemPages = (data: JsonObject): HostilePage[] =>
  [...valuesIn(data)].flatMap(([kind, path]): HostilePage[] => {
    const value = path.length === 0 ? null : valueAt(data, path);
    if (!Array.isArray(value) || value.length === 0) return [];
    const item = JSON.stringify(value[0]);
    if (item.length > longestObject) return [];
    const list = (bytes: number) => `[${`${item},`.repeat(Math.ceil(bytes / (item.length + 1)))}${item}]`;
    return [{ engine, name: `items of ${kind}`, of: inData(path, data, list) }];
  });

const fill =
  (piece: string, before = '', after = ''): HostilePage['of'] =>
  (bytes) =>
    before + filled(piece, Math.max(0, bytes - before.length - after.length)) + after;

const scripts: [name: string, of: HostilePage['of']][] = [
  ['spaces before the data', fill(' ')],
  ['spaces and a brace', fill(' ', '', '{')],
  ['names of the data', fill('ytInitialData')],
  ['assignments', fill('ytInitialData = {')],
  ['assignments of strings', fill("ytInitialData = '")],
  ['assignments of strings that end', fill("ytInitialData = '{}';")],
  ['a name and spaces', fill(' ', 'ytInitialData', '= {}')],
  ['names and spaces', fill('ytInitialData                  ')],
  ['a name and a call', fill(' ', 'ytInitialData = JSON.parse(', "'{}')")],
  ['names and calls', fill('ytInitialData = JSON.parse(   ')],
  ['braces', fill('{', 'ytInitialData = ')],
  ['braces that end', fill('{}', 'ytInitialData = {')],
  ['quotes', fill('"', 'ytInitialData = {')],
  ['quotes and braces', fill('"{', 'ytInitialData = {')],
  ['a string without end', fill('a', 'ytInitialData = {"a":"')],
  ['backslashes in a string', fill('\\', "ytInitialData = '", "'")],
  ['backslashes and quotes', fill("\\'", "ytInitialData = '", "'")],
  ['backslashes before each quote', fill('\\\\"', 'ytInitialData = {"a":"', '"}')],
  ['long rows of backslashes and quotes', fill(`${'\\'.repeat(1001)}"`, 'ytInitialData = {"a":"', '"}')],
  ['escapes in a string', fill('\\x22', "ytInitialData = '{\\x22a\\x22:\\x22", "\\x22}'")],
  ['long escapes in a string', fill('\\u0022', "ytInitialData = '", "'")],
  ['unknown escapes', fill('\\q', "ytInitialData = '", "'")],
  ['lists in lists', fill('[', '{"a":', '')],
  ['lists in lists that end', (bytes) => `{"a":${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}}`],
  ['objects in objects', fill('{"a":')],
  ['objects in objects that end', (bytes) => `${'{"a":'.repeat(bytes / 6)}1${'}'.repeat(bytes / 6)}`],
  [
    'an answer with many names',
    (bytes) => `{${Array.from({ length: bytes / 12 }, (_, n) => `"a${n}":1`).join()}}`,
  ],
  ['an answer with a long number', fill('1', '{"a":', '}')],
  ['an answer with empty lists', fill('[],', '{"a":[', '[]]}')],
  ['ends of scripts', fill('</script', 'ytInitialData = {')],
  ['odd comments without data', fill('<!----!>')],
  ['elements without data', fill('<a href="/sorry/">')],
  ['levels without data', fill('<div>')],
  ['scripts without data', fill('<script>ytcfg</script>')],
];

export const dataPages = (seed: number): HostilePage[] => [
  ...scripts.map(([name, of]) => ({ engine, name, of }) satisfies HostilePage),
  ...sandboxPages(engine).flatMap((html) => {
    const data = readData(html) ?? {};
    return [...fieldPages(data, seed), ...itemPages(data)];
  }),
];
