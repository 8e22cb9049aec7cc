import type { Context } from 'aws-lambda';
import { beforeEach, expect, test, vi } from 'vitest';
import { scheduled } from '../../../lib/api/scheduled.ts';

const lines: string[] = [];
beforeEach(() => {
  lines.length = 0;
  vi.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
});

const call = (run: () => Promise<unknown>) =>
  scheduled(run)({}, { awsRequestId: 'r', functionName: 'f' } as Context);

const refusal = Object.assign(new Error('Too much'), { name: 'ThrottlingException' });

test('the error of a run is logged, and the run fails', async () => {
  await expect(call(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');

  expect(lines.join('')).toContain('A scheduled run failed');
});

test('a refusal by AWS is counted, and the next run does the work', async () => {
  await expect(call(() => Promise.reject(refusal))).resolves.toBeUndefined();

  expect(lines.join('')).toContain('"AwsRefusals":1');
  expect(lines.join('')).not.toContain('A scheduled run failed');
});
