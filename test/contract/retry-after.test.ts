/** Every 429 and every 503 of the service says when to send the request again. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { asUnavailable } from '../../lib/api/unavailable.ts';
import { HttpError } from '../../lib/model/http-error.ts';
import { resourcesOf, templateOf } from '../infra/template.ts';

const root = new URL('../../', import.meta.url);
const sources = ['lib', 'functions'].flatMap((folder) =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name}`),
);

/** The text between the parenthesis at `from` and the one that closes it. */
const argumentsAt = (source: string, from: number): string => {
  let depth = 0;
  for (let at = from; at < source.length; at++) {
    if (source[at] === '(') depth++;
    if (source[at] === ')' && --depth === 0) return source.slice(from, at + 1);
  }
  return '';
};

const thrown = sources.flatMap((file) => {
  const source = readFileSync(new URL(file, root), 'utf8');
  return [...source.matchAll(/new HttpError(?=\(\s*(429|503)\b)/g)].map(({ 0: text, 1: status, index }) => ({
    file,
    status,
    call: argumentsAt(source, index + text.length),
  }));
});

test('the sources make some', () => {
  expect(new Set(thrown.map(({ status }) => status))).toEqual(new Set(['429', '503']));
});

test.each(thrown)('the $status of $file has Retry-After', ({ call }) => {
  expect(call).toContain("'Retry-After'");
});

test('a refusal of AWS becomes a 503 with Retry-After', () => {
  const refusal = Object.assign(new Error('too fast'), { name: 'ThrottlingException' });
  const error = asUnavailable(refusal);

  expect(error).toBeInstanceOf(HttpError);
  expect(error).toMatchObject({
    statusCode: 503,
    headers: { 'Retry-After': expect.stringMatching(/^\d+$/) },
  });
});

test('the responses of the gateway with 429 have it, and that for all 5xx', () => {
  const responses = resourcesOf(templateOf('prod'), 'AWS::ApiGateway::GatewayResponse').filter(
    ({ properties }) =>
      properties.StatusCode === '429' || /5XX|INTEGRATION/.test(String(properties.ResponseType)),
  );

  expect(responses.length).toBeGreaterThan(3);
  for (const { properties } of responses) {
    expect(properties.ResponseParameters).toMatchObject({
      'gatewayresponse.header.Retry-After': expect.stringMatching(/^'\d+'$/),
    });
  }
});
