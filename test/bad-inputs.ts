/**
 * The cases of `bad-inputs.json`: bad requests, each with its expected answer. The caller sends the requests,
 * to the handlers in this process or to a service at an address.
 */
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { routes } from '../lib/api/routes.ts';
import type { ApiAnswer, ApiRequest } from './api-call.ts';

type Fault = { loc: (string | number)[]; type: string; msg: string };

export type BadInput = {
  id: string;
  name: string;
  method: string;
  /** With the query. */
  path: string;
  /** Additional headers. `good` in `Authorization` is a placeholder for the key. */
  headers: Record<string, string> | null;
  content_type: string | null;
  /** Text, or bytes after `base64:`. Null if there is no body. */
  body: string | null;
  /** Fields to send urlencoded instead of `body`. */
  form: Record<string, string> | null;
  auth: boolean;
  expect: { status: number; detail: Fault[] | string | null };
};

const anyText = '<string>';

const isOn = (template: string, path: string): boolean => {
  const segments = path.split('?')[0]?.split('/') ?? [];
  const wanted = template.split('/');
  return (
    wanted.length === segments.length &&
    wanted.every((name, n) => name.startsWith('{') || name === segments[n])
  );
};

const cases: BadInput[] = JSON.parse(readFileSync(new URL('bad-inputs.json', import.meta.url), 'utf8'));

/** The cases for these paths of the interface, and those for unknown paths. */
export const casesFor = (
  paths: readonly string[] = Object.values(routes).map(({ path }) => path),
): BadInput[] =>
  cases.filter(
    (each) => each.path.startsWith('/api/v3/') || paths.some((template) => isOn(template, each.path)),
  );

const bytesOf = ({ body, form }: BadInput): Uint8Array | null => {
  if (form) return Buffer.from(new URLSearchParams(form).toString());
  if (body === null) return null;
  return body.startsWith('base64:') ? Buffer.from(body.slice(7), 'base64') : Buffer.from(body);
};

/** The request of a case. Its body is bytes, so that no client adds a content type. */
export const requestOf = (each: BadInput, key: string): ApiRequest => {
  const type = each.form ? 'application/x-www-form-urlencoded' : each.content_type;
  const { Authorization, ...others } = each.headers ?? {};
  return {
    method: each.method,
    path: each.path,
    headers: {
      ...(type !== null && { 'Content-Type': type }),
      ...(each.auth && { Authorization: `Bearer ${key}` }),
      ...(Authorization !== undefined && { Authorization: Authorization.replace('good', key) }),
      ...others,
    },
    body: bytesOf(each),
  };
};

/** Makes `<string>` a matcher of any text. */
const matching = (text: string): unknown => (text === anyText ? expect.any(String) : text);

const byPlace = (a: Fault, b: Fault): number =>
  JSON.stringify([a.loc, a.type]).localeCompare(JSON.stringify([b.loc, b.type]));

/** Fails the test unless the answer is the expected one. Faults may be in any order. */
export const expectAnswer = (each: BadInput, answer: Pick<ApiAnswer, 'status' | 'body'>): void => {
  const { status, detail } = each.expect;
  expect(answer.status, answer.body.slice(0, 1000)).toBe(status);
  if (detail === null) return;
  const given = JSON.parse(answer.body).detail;
  if (typeof detail === 'string') {
    expect(given).toEqual(matching(detail));
  } else {
    const wanted = detail.toSorted(byPlace).map((fault) => ({ ...fault, msg: matching(fault.msg) }));
    expect(given.toSorted(byPlace)).toEqual(wanted);
  }
};
