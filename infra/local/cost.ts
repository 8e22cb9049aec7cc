/** What a run would have cost on AWS, from what the embedded stack counted. */
import type { Call } from './emulators.ts';
import type { Meter, Usage } from './meter.ts';
import { prices } from './prices.ts';

/** Everything counted up to a moment. */
export type Count = {
  calls: Record<string, Call>;
  functions: Usage;
  express: Usage;
  transitions: number;
  requests: number;
  logBytes: number;
};

export type CostLine = { service: string; what: string; dollars: number };

const total = (usages: Iterable<Usage>): Usage => {
  const sum = { count: 0, durationMs: 0, gigabyteSeconds: 0 };
  for (const usage of usages) {
    sum.count += usage.count;
    sum.durationMs += usage.durationMs;
    sum.gigabyteSeconds += usage.gigabyteSeconds;
  }
  return sum;
};

export const countNow = async (meter: Meter, calls: () => Promise<Record<string, Call>>): Promise<Count> => ({
  calls: await calls(),
  functions: total(meter.functions.values()),
  express: total(
    [...meter.machines].filter(([name]) => name.startsWith('EXPRESS')).map(([, usage]) => usage),
  ),
  transitions: meter.transitions,
  requests: meter.requests,
  logBytes: meter.logBytes,
});

const difference = (before: Usage, after: Usage): Usage => ({
  count: after.count - before.count,
  durationMs: after.durationMs - before.durationMs,
  gigabyteSeconds: after.gigabyteSeconds - before.gigabyteSeconds,
});

const isTableRead = (name: string) => /^DynamoDB\.(Get|BatchGet|Query|Scan)/.test(name);
const isTableWrite = (name: string) => /^DynamoDB\.(Put|Update|Delete|BatchWrite)/.test(name);
const isObjectRead = (name: string) => /^S3\.(GET|HEAD)$/.test(name);
const isObjectWrite = (name: string) => /^S3\.(PUT|POST)$/.test(name);
const isQueueRequest = (name: string) => name.startsWith('SQS.');

/**
 * An estimate, from below in one respect: a write to a table counts by the bytes of its request, so what an update leaves
 * unsaid, and the writes to indexes, are not in it. Durations are this machine's, not Lambda's.
 */
export const estimate = (before: Count, after: Count): CostLine[] => {
  const used = (matches: (name: string) => boolean): Call => {
    const sum = { requests: 0, bytes: 0 };
    for (const [name, call] of Object.entries(after.calls).filter(([name]) => matches(name))) {
      sum.requests += call.requests - (before.calls[name]?.requests ?? 0);
      sum.bytes += call.bytes - (before.calls[name]?.bytes ?? 0);
    }
    return sum;
  };

  const functions = difference(before.functions, after.functions);
  const express = difference(before.express, after.express);
  const requests = after.requests - before.requests;
  const transitions = after.transitions - before.transitions;
  const logBytes = after.logBytes - before.logBytes;
  const writes = used(isTableWrite);
  const writeUnits = Math.max(writes.requests, Math.ceil(writes.bytes / 1024));
  const reads = used(isTableRead).requests;
  const messages = used(isQueueRequest).requests;
  const objectWrites = used(isObjectWrite).requests;
  const objectReads = used(isObjectRead).requests;

  return [
    { service: 'API Gateway', what: `${requests} requests`, dollars: requests * prices.gatewayRequest },
    {
      service: 'Lambda',
      what: `${functions.count} calls, ${functions.gigabyteSeconds.toFixed(3)} GB·s`,
      dollars:
        functions.count * prices.functionCall + functions.gigabyteSeconds * prices.functionGigabyteSecond,
    },
    {
      service: 'Step Functions',
      what: `${express.count} EXPRESS runs, ${transitions} STANDARD transitions`,
      dollars:
        express.count * prices.expressRun +
        express.gigabyteSeconds * prices.expressGigabyteSecond +
        transitions * prices.transition,
    },
    { service: 'SQS', what: `${messages} requests`, dollars: messages * prices.queueRequest },
    {
      service: 'DynamoDB',
      what: `${writeUnits} write units, ${reads} reads`,
      dollars: writeUnits * prices.tableWrite + reads * prices.tableRead,
    },
    {
      service: 'S3',
      what: `${objectWrites} writes, ${objectReads} reads`,
      dollars: objectWrites * prices.objectWrite + objectReads * prices.objectRead,
    },
    {
      service: 'CloudWatch Logs',
      what: `${(logBytes / 1024).toFixed(1)} KB`,
      dollars: (logBytes / 1024 ** 3) * prices.logGigabyte,
    },
  ];
};
