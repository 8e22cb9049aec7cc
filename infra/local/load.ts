/** The load of a thread, and of the machine: the part of the time in which it works. */
import { type CpuInfo, cpus } from 'node:os';
import { type EventLoopUtilization, performance } from 'node:perf_hooks';

/**
 * Returns a function that gives the load since its last call, 0 to 1. `utilization` is that of the thread
 * since it started.
 */
export const newLoad = (utilization: () => EventLoopUtilization): (() => number) => {
  let before = utilization();
  return () => {
    const now = utilization();
    // A thread that has just started has worked less than its predecessor.
    const isSame = now.active >= before.active;
    const load = isSame ? performance.eventLoopUtilization(now, before).utilization : 0;
    before = now;
    // Not a number if no time has passed.
    return load > 0 ? Math.min(1, load) : 0;
  };
};

/** The processor times of Linux have steps of 10 ms, so the load is that of the last calls together. */
const callsTogether = 4;

/**
 * Returns a function that gives the load of all processors of this machine in the time of its last calls, 0
 * to 1.
 */
export const newProcessorLoad = (read = cpus): (() => number) => {
  const timesNow = () => {
    const all = read().map(({ times }) => times);
    const total = (names: (keyof CpuInfo['times'])[]) =>
      all.reduce((sum, times) => names.reduce((inner, name) => inner + times[name], sum), 0);
    return { all: total(['user', 'nice', 'sys', 'idle', 'irq']), idle: total(['idle']) };
  };
  const samples = [timesNow()];
  return () => {
    const now = timesNow();
    const [first = now] = samples;
    samples.push(now);
    if (samples.length > callsTogether) samples.shift();
    return now.all > first.all ? 1 - (now.idle - first.idle) / (now.all - first.all) : 0;
  };
};
