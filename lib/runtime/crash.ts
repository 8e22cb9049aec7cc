/**
 * Points at which a process can be told to die, one before and one after each durable write, each send and each delivery: the proof
 * that nothing accepted is lost. Only the embedded stack arms one (`CRASH_AT`); anywhere else they do nothing.
 */
import { TaskStatus } from '../model/task-status.ts';

const works = [
  'delete-messages',
  'reserve-numbers',
  'write-rows',
  'queue-tasks',
  'queue-later',
  'put-off-task',
  'put-off-sweep',
  'drop-expired',
  'store-page',
  'store-links',
  'store-result',
  'store-snapshot',
  'queue-delivery',
  'begin-attempt',
  'send-delivery',
  'record-failure',
  'record-delivered',
  'start-retries',
  'queue-patiently',
  'store-parked',
  'queue-parked',
  'record-parked',
  'write-account',
  'write-engine',
  'count-in-window',
  ...TaskStatus.options.map((status) => `move-to-${status}` as const),
] as const;

/** A piece of work that outlives the process, or that others see. */
export type DurableWork = (typeof works)[number];

/** The names that `CRASH_AT` may take; `…:3` is the third time that a process comes by. */
export const crashPoints = works.flatMap((work) => [`before-${work}`, `after-${work}`] as const);

/** Reads a `CRASH_AT`. @throws if there is no such point. */
export const readCrashPoint = (at: string): { point: string; passes: number } => {
  const [, point = '', passes = '1'] = /^([\w-]+)(?::([1-9]\d*))?$/.exec(at) ?? [];
  if (!crashPoints.some((name) => name === point)) {
    throw new Error(`CRASH_AT must be one of ${crashPoints.join(', ')}`);
  }
  return { point, passes: Number(passes) };
};

let armed = { point: '', passes: 0 };

/** Has this thread kill its process at the named point. */
export const armCrash = (at: string): void => {
  armed = readCrashPoint(at);
};

const pass = (point: (typeof crashPoints)[number]): void => {
  if (point !== armed.point) return;
  armed.passes -= 1;
  if (armed.passes === 0) process.kill(process.pid, 'SIGKILL');
};

/** Does the work, between its two crash points. */
export const durably = async <T>(work: DurableWork, run: () => Promise<T>): Promise<T> => {
  pass(`before-${work}`);
  const answer = await run();
  pass(`after-${work}`);
  return answer;
};
