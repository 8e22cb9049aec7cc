/** A parameter is read at most once in a minute, and a bad read does not replace a good one. */
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, expect, test, vi } from 'vitest';
import { keepParameter } from '../../../lib/runtime/parameter.ts';

const parameters = mockClient(SSMClient);
const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);

const answer = (value: string) =>
  parameters.on(GetParameterCommand, { Name: 'orders' }).resolves({ Parameter: { Value: value } });
const reads = () => parameters.commandCalls(GetParameterCommand).length;
const keep = () => keepParameter('orders', (text): unknown => JSON.parse(text));

beforeEach(() => {
  parameters.reset();
  written.mockClear();
});

test('a change is read after a minute, and nothing is read before', async () => {
  const read = keep();
  answer('1');
  expect(await Promise.all([read(1000), read(1000), read(1059)])).toEqual([1, 1, 1]);
  answer('2');
  expect(await read(1059)).toBe(1);
  expect(reads()).toBe(1);

  expect(await read(1060)).toBe(2);
  expect(reads()).toBe(2);
});

test.each([
  ['fails', () => parameters.on(GetParameterCommand).rejects(new Error('Rate exceeded'))],
  ['finds a malformed value', () => answer('{')],
])('if a later read %s, the last value stays for another minute, and the log says so', async (_, spoil) => {
  const read = keep();
  answer('1');
  await read(1000);
  spoil();

  expect([await read(1060), await read(1100)]).toEqual([1, 1]);
  expect(reads()).toBe(2);
  expect(written.mock.calls.map(([line]) => JSON.parse(String(line)).message)).toEqual([
    'parameter not read',
  ]);
  answer('2');
  expect(await read(1120)).toBe(2);
});

test('counts a later read that AWS refuses', async () => {
  const read = keep();
  answer('1');
  await read(1000);
  const refusal = Object.assign(new Error('Rate exceeded'), { name: 'ThrottlingException' });
  parameters.on(GetParameterCommand).rejects(refusal);

  expect(await read(1060)).toBe(1);
  expect(written.mock.calls.map(([line]) => JSON.parse(String(line)))).toMatchObject([
    { message: 'AWS refused', error: 'ThrottlingException', AwsRefusals: 1 },
    { message: 'parameter not read' },
  ]);
});

test('if the first read fails, the caller gets the error, and the next one reads again', async () => {
  const read = keep();
  parameters.on(GetParameterCommand).rejects(new Error('Rate exceeded'));
  await expect(read(1000)).rejects.toThrow('Rate exceeded');
  answer('1');

  expect(await read(1000)).toBe(1);
});
