/** What a run used of the services that we play ourselves: the ground of the cost estimate and of "where does the time go". */

export type Usage = {
  count: number;
  durationMs: number;
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
  /** Bytes of the answers' bodies. */
  answerBytes: number;
  /** What the functions wrote to their log. */
  logBytes: number;
  logLines: number;
};

export const newMeter = (): Meter => ({
  functions: new Map(),
  machines: new Map(),
  transitions: 0,
  requests: 0,
  answerBytes: 0,
  logBytes: 0,
  logLines: 0,
});

/** Adds one run. */
export const addUsage = (usages: Map<string, Usage>, name: string, durationMs: number): void => {
  const usage = usages.get(name) ?? { count: 0, durationMs: 0 };
  usage.count += 1;
  usage.durationMs += durationMs;
  usages.set(name, usage);
};
