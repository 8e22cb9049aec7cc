/** JSON with line breaks for people who use curl, and the same bytes as ever for everybody else. */
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { area } from '../../../lib/api/area.ts';
import { openEndpoint } from '../../../lib/api/open-endpoint.ts';
import type { Route } from '../../../lib/api/route.ts';
import { callArea } from '../../api-call.ts';

const route = {
  method: 'GET',
  path: '/thing',
  auth: 'none',
  summary: '',
  reply: v.object({ size: v.number(), text: v.optional(v.string()) }),
  returns: '',
} as const satisfies Route;

const call = (reply: v.InferOutput<typeof route.reply>, headers: Record<string, string>, path = '/thing') =>
  callArea(area([openEndpoint(route, () => reply)]), { method: 'GET', path, headers });

const curl = { 'User-Agent': 'curl/8.5.0' };

describe('curl', () => {
  test('gets JSON with line breaks', async () => {
    expect((await call({ size: 1 }, curl)).body).toBe('{\n  "size": 1\n}\n');
  });

  test('gets errors with line breaks', async () => {
    expect((await call({ size: 1 }, curl, '/nothing')).body).toBe('{\n  "detail": "Not Found"\n}\n');
  });

  test('gets a response above 1 MB as it is', async () => {
    const { body } = await call({ size: 1, text: 'a'.repeat(1_000_000) }, curl);

    expect(body.startsWith('{"size":1,')).toBe(true);
  });
});

test.each(['curl', 'node', 'python-requests/2.32', 'Mozilla/5.0 curl/8', ''])(
  'a client with the User-Agent %j gets JSON without line breaks',
  async (agent) => {
    expect((await call({ size: 1 }, { 'User-Agent': agent })).body).toBe('{"size":1}');
  },
);
