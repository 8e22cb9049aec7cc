/**
 * The work of a call, which does not depend on how busy the machine is: processor time of its thread, and
 * requests to AWS services. A call that waits gets nothing of the time in which a later call of the same
 * thread works.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import { ClientRequest } from 'node:http';
import type { Work } from '../../cost/meter.ts';

const requester = new AsyncLocalStorage<Work>();

/** The calls in progress of this thread, in the order of their start. */
const active: Work[] = [];
let seenMs = 0;

const threadMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/** Adds the processor time since the last settlement to the call that started last. */
const settle = (): void => {
  const nowMs = threadMs();
  const last = active.at(-1);
  if (last) last.cpuMs += nowMs - seenMs;
  seenMs = nowMs;
};

const targets = {
  DynamoDB: 'DynamoDB',
  AmazonSQS: 'SQS',
  AWSStepFunctions: 'Step Functions',
  secretsmanager: 'Secrets Manager',
  AmazonSSM: 'Systems Manager',
} as const;

/** The AWS service that a request goes to; undefined for other hosts. Only requests to S3 have no target. */
const serviceOf = (request: ClientRequest): string | undefined => {
  const target = String(request.getHeader('x-amz-target') ?? '');
  const named = Object.entries(targets).find(([prefix]) => target.startsWith(prefix))?.[1];
  return named ?? (request.hasHeader('x-amz-date') ? 'S3' : undefined);
};

/** Counts a request to an AWS service for the call in progress, if there is one. */
export const countRequest = (service: string): void => {
  const work = requester.getStore();
  if (work) work.requests[service] = (work.requests[service] ?? 0) + 1;
};

// Node publishes a request in the context of the call that sends it.
subscribe('http.client.request.start', (message) => {
  if (typeof message !== 'object' || message === null || !('request' in message)) return;
  if (!(message.request instanceof ClientRequest)) return;
  const service = serviceOf(message.request);
  if (service) countRequest(service);
});

/**
 * The messages of an event of a queue, or the pages to fetch; any other event counts as one. The input of a
 * step behind the fetches still has their `batch`, beside what became of it.
 */
const messagesIn = (event: unknown): number => {
  if (typeof event !== 'object' || event === null) return 1;
  const pages = 'batch' in event && !('crawled' in event) ? event.batch : null;
  const several = 'Records' in event ? event.Records : pages;
  return Array.isArray(several) ? several.length : 1;
};

/** Makes a call, and reports its work when it has ended. */
export const measureWork = async <Result>(
  event: unknown,
  report: (work: Work) => void,
  call: () => Promise<Result>,
): Promise<Result> => {
  const work: Work = { cpuMs: 0, messages: messagesIn(event), requests: {} };
  settle();
  active.push(work);
  try {
    return await requester.run(work, call);
  } finally {
    settle();
    active.splice(active.indexOf(work), 1);
    report(work);
  }
};
