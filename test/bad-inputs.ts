/**
 * The cases of `bad-inputs.json`: requests and the answer that each must get. Usable on handlers in process and on a
 * service behind an address: whoever runs them says how to send.
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
  /** Query included. */
  path: string;
  /** Extra ones; `good` in `Authorization` stands for the key. */
  headers: Record<string, string> | null;
  content_type: string | null;
  /** Text as is, `base64:` before bytes, null for none. */
  body: string | null;
  /** Sent urlencoded instead of a body. */
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

/** The cases that concern these paths of the interface, and those whose path nobody has. */
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

/** A case as a request; its body is bytes, so that no client adds a content type of its own. */
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

/** `<string>` as a matcher of any text. */
const matching = (text: string): unknown => (text === anyText ? expect.any(String) : text);

const byPlace = (a: Fault, b: Fault): number =>
  JSON.stringify([a.loc, a.type]).localeCompare(JSON.stringify([b.loc, b.type]));

/** Fails the test unless the answer is the one that the case asks for; faults may come in any order. */
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
