/** What a run used of the services that we play ourselves: the ground of the cost estimate and of "where does the time go". */

export type Usage = {
  count: number;
  durationMs: number;
  /** Memory × time, as Lambda and EXPRESS machines bill it. */
  gigabyteSeconds: number;
};

export type Meter = {
  /** Invocations of functions by source file (`functions/crawl/fetch-page.ts`). */
  functions: Map<string, Usage>;
  /** Executions of machines by type and name (`EXPRESS Crawl`). */
  machines: Map<string, Usage>;
  /** State transitions of STANDARD machines. */
  transitions: number;
  /** Requests that the gateway took. */
  requests: number;
  /** Bytes that the functions wrote to their log. */
  logBytes: number;
};

export const newMeter = (): Meter => ({
  functions: new Map(),
  machines: new Map(),
  transitions: 0,
  requests: 0,
  logBytes: 0,
});

/** Adds one run; `billedInMs` is the step to which its duration is rounded up on the bill. */
export const addUsage = (
  usages: Map<string, Usage>,
  name: string,
  { durationMs, memoryMb, billedInMs }: { durationMs: number; memoryMb: number; billedInMs: number },
): void => {
  const usage = usages.get(name) ?? { count: 0, durationMs: 0, gigabyteSeconds: 0 };
  usage.count += 1;
  usage.durationMs += durationMs;
  usage.gigabyteSeconds += ((Math.ceil(durationMs / billedInMs) * billedInMs) / 1000) * (memoryMb / 1024);
  usages.set(name, usage);
};
