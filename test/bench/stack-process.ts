/**
 * Runs the embedded stack in a process that `metered-stack.ts` forks. Answers each message `used` with the
 * resources used so far.
 */
import { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Call } from '../../infra/cost/counts.ts';
import type { Usage } from '../../infra/cost/meter.ts';
import { openLogOutput } from '../../infra/local/log-output.ts';
import { readSettings } from '../../infra/local/settings.ts';
import { startStack } from '../../infra/local/stack.ts';

type Process = { cpuMs: number; residentMb: number };

export type Used = {
  /** Requests to the stores by action. */
  calls: Record<string, Call>;
  functions: Record<string, Usage>;
  machines: Record<string, Usage>;
  /** The gateway, the pollers, the machines, and the threads of functions. */
  service: Process;
  /** DynamoDB, SQS and S3. */
  stores: Process;
};

export type Ready = {
  url: string;
  apiKey: string;
  dynamodb: string;
  tasksTable: string;
  trackingTable: string;
};

/**
 * Every process that the stack starts. Node publishes a process before it runs, so its arguments are read
 * later.
 */
const children: ChildProcess[] = [];
subscribe('child_process', (message) => {
  if (
    typeof message === 'object' &&
    message &&
    'process' in message &&
    message.process instanceof ChildProcess
  ) {
    children.push(message.process);
  }
});
const storesPid = (): number =>
  children.find(({ spawnargs }) => spawnargs?.some((argument) => argument.includes('emulator-process')))
    ?.pid ?? 0;

/** The kernel counts processor time in hundredths of a second. */
const processOf = (pid: number): Process => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const resident = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return { cpuMs: (Number(fields[11]) + Number(fields[12])) * 10, residentMb: Number(resident) / 1024 };
};

if (process.platform !== 'linux') throw new Error('This benchmark reads /proc: run it on Linux');
const settings = readSettings(process.env, ['--no-demonstration']);
const { count } = openLogOutput(join(settings.dataDir, 'service.log'));
const stack = await startStack(settings, () => process.exit(1));
count(stack.meter);

process.on('message', async (message: 'used' | 'stop') => {
  if (message === 'stop') {
    await stack.stop();
    process.exit();
  }
  process.send?.({
    calls: (await stack.asked()).calls,
    functions: Object.fromEntries(stack.meter.functions),
    machines: Object.fromEntries(stack.meter.machines),
    service: processOf(process.pid),
    stores: processOf(storesPid()),
  } satisfies Used);
});
process.send?.({
  url: stack.url,
  apiKey: stack.apiKey,
  dynamodb: process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '',
  tasksTable: process.env.TASKS_TABLE ?? '',
  trackingTable: process.env.TRACKING_TABLE ?? '',
} satisfies Ready);
