/** The usage of the services that the embedded stack implements itself. The cost estimate and the times of a search are read from it. */

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
  /** Requests to the gateway. */
  requests: number;
  /** Bytes of the response bodies. */
  answerBytes: number;
  /** Bytes that the functions logged. */
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

/** Adds one call or execution. */
export const addUsage = (usages: Map<string, Usage>, name: string, durationMs: number): void => {
  const usage = usages.get(name) ?? { count: 0, durationMs: 0 };
  usage.count += 1;
  usage.durationMs += durationMs;
  usages.set(name, usage);
};
