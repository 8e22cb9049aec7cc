/**
 * Tables, and a source of suggestions and trends on loopback that a test controls. Import the code under test
 * after `startSource`.
 */
import type http from 'node:http';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';
import { startTables } from '../../tables.ts';
import { serve } from '../net/loopback.ts';

export type Call = { url: URL; headers: http.IncomingHttpHeaders; at: number };

/** Starts the tables, and a secret without proxies. */
export const startSource = async () => {
  const tables = await startTables();
  mockClient(SecretsManagerClient).on(GetSecretValueCommand).resolves({ SecretString: '' });
  return tables;
};

/** Starts a source that ends with the test, as SUGGEST_ORIGIN and TRENDS_ORIGIN. Returns its calls. */
export const answering = async (
  answer: (call: Call, response: http.ServerResponse, count: number) => void,
): Promise<Call[]> => {
  const calls: Call[] = [];
  const origin = await serve((request, response) => {
    const call = {
      url: new URL(request.url ?? '', 'http://source'),
      headers: request.headers,
      at: performance.now(),
    };
    calls.push(call);
    answer(call, response, calls.length);
  });
  process.env.SUGGEST_ORIGIN = origin;
  process.env.TRENDS_ORIGIN = origin;
  return calls;
};

export const json = (
  response: http.ServerResponse,
  body: unknown,
  type = 'application/json; charset=UTF-8',
) =>
  response
    .writeHead(200, { 'content-type': type })
    .end(typeof body === 'string' ? body : JSON.stringify(body));
