/**
 * The usage of the services that the embedded stack implements itself. The cost estimate and the times of a
 * search are read from it.
 */

export type Usage = {
  count: number;
  durationMs: number;
};

/** What calls of a function do, whatever else the machine does. */
export type Work = {
  /** Processor time of the thread, in milliseconds. */
  cpuMs: number;
  /** Messages of a queue, or pages, that the calls handled; a call of another kind counts as one. */
  messages: number;
  /** Requests to AWS services by name (`DynamoDB`, `S3`). */
  requests: Record<string, number>;
};

export type Meter = {
  /** Invocations of functions by source file (`functions/crawl/fetch-page.ts`). */
  functions: Map<string, Usage>;
  /** The work of these invocations. */
  work: Map<string, Work>;
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
  work: new Map(),
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

/** Adds the work of one call. */
export const addWork = (
  works: Map<string, Work>,
  name: string,
  { cpuMs, messages, requests }: Work,
): void => {
  const work = works.get(name) ?? { cpuMs: 0, messages: 0, requests: {} };
  work.cpuMs += cpuMs;
  work.messages += messages;
  for (const [service, count] of Object.entries(requests)) {
    work.requests[service] = (work.requests[service] ?? 0) + count;
  }
  works.set(name, work);
};
