/**
 * Points at which the process can be killed: one before and one after each durable write, each send and each
 * delivery. They prove that no accepted task is lost. Only the embedded stack arms a point (`CRASH_AT`);
 * everywhere else they do nothing.
 */
import { TaskStatus } from '../model/task-status.ts';

const works = [
  'delete-messages',
  'reserve-numbers',
  'write-rows',
  'write-batch',
  'wait-for-task',
  'end-batch',
  'write-request',
  'queue-tasks',
  'queue-later',
  'put-off-task',
  'put-off-sweep',
  'mark-collected',
  'drop-expired',
  'begin-order',
  'store-page',
  'store-result',
  'store-batch-results',
  'replace-result',
  'store-snapshot',
  'store-metrics',
  'claim-ask',
  'release-ask',
  'queue-delivery',
  'begin-attempt',
  'send-delivery',
  'record-failure',
  'record-delivered',
  'restart-delivery',
  'start-retries',
  'queue-patiently',
  'postpone-delivery',
  'store-parked',
  'queue-parked',
  'record-parked',
  'write-account',
  'erase-user',
  'write-pace',
  'count-in-window',
  'claim-answer',
  'store-answer',
  'write-project',
  'write-chunk',
  'write-import',
  'write-tracking',
  'write-search',
  'write-subscriber',
  'begin-work',
  'end-work',
  'write-check',
  'write-alert',
  'store-alert',
  ...TaskStatus.options.map((status) => `move-to-${status}` as const),
] as const;

/** Work whose effect outlives the process or is visible to others. */
export type DurableWork = (typeof works)[number];

/** The values of `CRASH_AT`. `…:3` means the third time that the process passes the point. */
export const crashPoints = works.flatMap((work) => [`before-${work}`, `after-${work}`] as const);

/** Parses a value of `CRASH_AT`. @throws if the point does not exist. */
export const readCrashPoint = (at: string): { point: string; passes: number } => {
  const [, point = '', passes = '1'] = /^([\w-]+)(?::([1-9]\d*))?$/.exec(at) ?? [];
  if (!crashPoints.some((name) => name === point)) {
    throw new Error(`CRASH_AT must be one of ${crashPoints.join(', ')}`);
  }
  return { point, passes: Number(passes) };
};

let armed = { point: '', passes: 0 };

/** Makes this thread kill its process at the named point. */
export const armCrash = (at: string): void => {
  armed = readCrashPoint(at);
};

const pass = (point: (typeof crashPoints)[number]): void => {
  if (point !== armed.point) return;
  armed.passes -= 1;
  if (armed.passes === 0) process.kill(process.pid, 'SIGKILL');
};

/** Does the work between its two crash points. */
export const durably = async <T>(work: DurableWork, run: () => Promise<T>): Promise<T> => {
  pass(`before-${work}`);
  const answer = await run();
  pass(`after-${work}`);
  return answer;
};
