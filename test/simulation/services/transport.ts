/** The way of a call of the SDK to its service in the world, with what can happen on it. */
import { type AwsCall, AwsFault, type Transport } from '../code/sdk.ts';
import type { Faults } from '../world/faults.ts';
import type { History } from '../world/history.ts';
import type { Random } from '../world/random.ts';
import type { Scheduler } from '../world/scheduler.ts';
import type { Refusals } from './refusals.ts';

/** Carries a call out. @throws AwsFault */
export type Service = (operation: string, input: Record<string, unknown>) => unknown;

type Options = {
  services: Record<string, Service>;
  scheduler: Scheduler;
  random: Random;
  faults: Faults;
  history: History;
  refusals: Refusals;
  /** By how much a call is slower than others (milliseconds). */
  heldMs: () => number;
  /** Ends the process that makes the call. */
  crash: () => void;
  onCall: (call: AwsCall) => void;
  /** Called for each call that is refused or fails. */
  onRefusal: () => void;
};

const throttles: Record<string, AwsFault> = {
  DynamoDB: new AwsFault('ProvisionedThroughputExceededException', 'Throughput exceeds the limit'),
  S3: new AwsFault('SlowDown', 'Please reduce your request rate.', 503),
  SQS: new AwsFault('RequestThrottled', 'Rate exceeded', 400),
  SFN: new AwsFault('ThrottlingException', 'Rate exceeded'),
  SESv2: new AwsFault('TooManyRequestsException', 'Maximum sending rate exceeded', 429),
  SSM: new AwsFault('ThrottlingException', 'Rate exceeded'),
  SecretsManager: new AwsFault('ThrottlingException', 'Rate exceeded'),
};

/** The end of a name or an address, from its last slash on. */
const ending = (text: string): string => text.slice(text.lastIndexOf('/') + 1, text.lastIndexOf('/') + 101);

const brief = ({ input }: AwsCall): string => {
  const { TableName, Key, IndexName, QueueUrl, UpdateExpression, Item } = input;
  const about = TableName ?? QueueUrl ?? Key ?? '';
  const key = typeof Key === 'object' ? JSON.stringify(Key) : '';
  const { id, pk, status } = (Item ?? {}) as Record<string, unknown>;
  let text = '';
  for (const part of [about, IndexName, key, id ?? pk, status, UpdateExpression]) {
    if (part === undefined || part === '') continue;
    text += `${text === '' ? '' : ' '}${ending(String(part))}`;
  }
  return text;
};

export const newTransport = (options: Options): Transport => {
  const { services, scheduler, random, faults, history, refusals, heldMs, crash, onCall, onRefusal } =
    options;
  const never = () => new Promise<never>(() => {});
  return async (call) => {
    const { service, operation, input } = call;
    const where = `${service} ${operation}`;
    const slow = faults.strikes('slow call', where) ? faults.amount('slow call', 8000) : 0;
    await scheduler.sleep(1 + random.int(8) + slow + heldMs());
    if (faults.strikes('crash before a call', where)) {
      crash();
      return never();
    }
    const throttle = throttles[service];
    const isRefused = refusals.isRefused(call);
    if (throttle && (isRefused || faults.strikes('throttled call', where))) {
      history.add('aws', `${where} throttled`);
      onRefusal();
      throw new AwsFault(throttle.name, throttle.message, throttle.status);
    }
    if (faults.strikes('failed call', where)) {
      onRefusal();
      throw new AwsFault('InternalServerError', 'Internal error', 500);
    }
    const carryOut = services[service];
    if (!carryOut) throw new Error(`There is no service ${service}`);
    onCall(call);
    let answer: unknown;
    try {
      answer = await carryOut(operation, input);
    } catch (error) {
      history.add('aws', `${where} ${brief(call)} ${error instanceof Error ? error.name : error}`);
      throw error;
    }
    history.add('aws', `${where} ${brief(call)}`);
    if (faults.strikes('crash after a call', where)) {
      crash();
      return never();
    }
    const isLost =
      faults.strikes('lost answer', where) ||
      (input.ConditionExpression !== undefined && faults.strikes('lost answer of a condition', where));
    if (isLost) {
      onRefusal();
      throw new AwsFault('TimeoutError', 'socket hang up', 0);
    }
    return answer;
  };
};
