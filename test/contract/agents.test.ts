/** The messages of agents whose answers are those of the protocol, not of a tool. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { detailOf, type Service, startService } from './service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const send = (message: object, headers: Record<string, string> = {}) =>
  service.call({ path: '/mcp', body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }), headers });

const initialize = {
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'agent', version: '1' } },
};

test.each<[string, object]>([
  ['initialize', {}],
  ['initialize', { params: { ...initialize.params, protocolVersion: 5 } }],
  ['tools/list', { params: { cursor: 5 } }],
  ['tools/call', {}],
  ['resources/list', { params: { cursor: 5 } }],
  ['resources/templates/list', { params: { cursor: 5 } }],
  ['resources/read', {}],
])('%s with %j has invalid parameters', async (method, rest) => {
  const { status, body } = await send({ method, ...rest });
  const { error } = JSON.parse(body);

  expect([status, error.code]).toEqual([200, -32602]);
  expect(error.message).toMatch(/^Invalid parameters: params[.:]/);
});

describe('the header MCP-Protocol-Version', () => {
  const withVersion = (version: string, message: object = { method: 'ping' }) =>
    send(message, { 'MCP-Protocol-Version': version });

  test.each(['2025-11-25', '2025-06-18', '2025-03-26'])('accepts %s', async (version) => {
    const { status, body } = await withVersion(version);

    expect([status, JSON.parse(body).result]).toEqual([200, {}]);
  });

  test.each(['1999-01-01', '2099-01-01', 'x', ''])('refuses "%s"', async (version) => {
    const answer = await withVersion(version);

    expect(answer.status).toBe(400);
    expect(detailOf(answer)).toMatch(
      /^The version in MCP-Protocol-Version is not known: the versions are 2025-11-25, /,
    );
  });

  test('may have any version in initialize, which agrees on one', async () => {
    const { status, body } = await withVersion('2099-01-01', initialize);

    expect([status, JSON.parse(body).result.protocolVersion]).toEqual([200, '2025-06-18']);
  });
});

test.each([{ ttl: 1 }, 5])(
  'the server has no tasks, so a call with the task %j is a usual one',
  async (task) => {
    const call = { name: 'read_task', arguments: { task_id: 1 } };
    const usual = await send({ method: 'tools/call', params: call });
    const asTask = await send({ method: 'tools/call', params: { ...call, task } });

    expect(JSON.parse(usual.body).result.content).toEqual([{ type: 'text', text: 'Task not found' }]);
    expect(JSON.parse(asTask.body)).toEqual(JSON.parse(usual.body));
  },
);
