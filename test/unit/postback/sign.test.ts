/** Signatures, verified with an independent library (Reading 34). */
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { signedHeaders } from '../../../lib/postback/sign.ts';

const secret = (byte: number) => `whsec_${Buffer.alloc(24, byte).toString('base64')}`;
const now = Math.floor(Date.now() / 1000);
const body = '{"id":1,"keyword":"café ☕"}';

test.each([
  ['one secret', [secret(1)], [secret(1)]],
  ['two secrets during a rotation', [secret(2), secret(1)], [secret(1), secret(2)]],
])('an independent verifier accepts the signature: %s', (_, secrets, verifiers) => {
  const headers = signedHeaders(secrets, { delivery: 'msg_1', timestamp: now, body });

  expect(headers['webhook-id']).toBe('msg_1');
  for (const verifier of verifiers) {
    expect(new Webhook(verifier).verify(body, headers)).toEqual({ id: 1, keyword: 'café ☕' });
  }
});

test.each([
  ['another secret', secret(9), body, {}],
  ['another body', secret(1), body.replace('1', '2'), {}],
  ['another id', secret(1), body, { 'webhook-id': 'msg_2' }],
  ['another time', secret(1), body, { 'webhook-timestamp': String(now + 1) }],
])('an independent verifier refuses the signature with %s', (_, verifier, received, changed) => {
  const headers = signedHeaders([secret(1)], { delivery: 'msg_1', timestamp: now, body });

  expect(() => new Webhook(verifier).verify(received, { ...headers, ...changed })).toThrow();
});

test.each([
  ['no secret', [], 'The user has no webhook secret'],
  ['an empty secret', ['whsec_'], 'A webhook secret is empty'],
])('throws with %s', (_, secrets, message) => {
  expect(() => signedHeaders(secrets, { delivery: 'msg_1', timestamp: now, body })).toThrow(message);
});
