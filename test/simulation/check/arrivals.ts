/** Rules about webhooks as they arrive at receivers. */

import type { WireItem } from '../../../infra/local/stores/wire-values.ts';
import type { Arrival } from '../models/receivers.ts';
import { userOfHook } from '../models/requests.ts';
import { isDelaying, kindOf, refusedMs, type Struck } from '../world/faults.ts';
import { checkContent, type Receiver } from './contents.ts';
import type { Ledger } from './ledger.ts';

/**
 * The shortest time between two attempts of a delivery that a client may see (milliseconds). A process whose
 * clock is a minute or more late plans the next attempt for a time that is over for the others, so it may
 * come at once.
 */
const leastGapMs = (skewSeconds: number): number => (skewSeconds < 60 ? 15_000 : 0);

const attempts = 5;

/** `sent`: when an attempt was sent, also one that the receiver refused. */
type Known = { times: number[]; sent: number[]; accepted: number; acceptedAt?: number };

type Told = { id: number; code?: number };

/**
 * The task that a webhook is about, and the code that it has in the form of DataForSEO. That of a webhook
 * without a body is in its address.
 */
const toldBy = ({ url, body }: Arrival): Told => {
  const tasks = body.tasks as { id: string; status_code: number }[] | undefined;
  const uuid = tasks?.[0]?.id ?? new URL(url).searchParams.get('id');
  const code = tasks?.[0]?.status_code;
  if (uuid) return { id: Number.parseInt(uuid.replaceAll('-', '').slice(0, 16), 16), ...(code && { code }) };
  return { id: Number(body.id ?? body.task_id ?? body.batch_id ?? 0) };
};

/** The codes of DataForSEO of a task that has a result or none, and of one that has failed. */
const endedCodes: Record<string, readonly number[]> = {
  success: [20000, 40102],
  error: [40103],
  dead_letter: [40103],
};

type Options = {
  ledger: Ledger;
  isCalm: boolean;
  skewSeconds: number;
  isDeployed: boolean;
  /** The rows of tasks and batches, as the table has them. */
  rows: ReadonlyMap<number, WireItem>;
  /** The id of a user, and the secrets that sign its webhooks, by the number of the user. */
  receiverOf: (user: number) => Receiver;
  /** The faults that have struck. */
  struck: () => readonly Struck[];
};

/** Faults of queues may lose the record that a webhook was accepted, because a message makes it again. */
const isOfQueue = /SQS|PostbackQueue|PatientQueue/;

export const newArrivals = (options: Options) => {
  const { ledger, isCalm, skewSeconds, isDeployed, rows, receiverOf, struck } = options;
  /** A webhook that its receiver has accepted comes again only if the record of it was lost. */
  const checkRepeat = (id: string, at: number, acceptedAt: number): void => {
    if (skewSeconds > 0 || isDeployed) return;
    const beside = struck().filter((fault) => fault.at >= acceptedAt - refusedMs && fault.at <= at);
    if (beside.every((fault) => isDelaying(kindOf(fault)) && !isOfQueue.test(fault.where)))
      ledger.violate(
        'no repeat after success',
        `${id} came again ${at - acceptedAt} ms after it was accepted, and nothing has lost its record`,
      );
  };
  const checkEnded = (id: string, { id: task, code }: Told): void => {
    const status = rows.get(task)?.status?.S;
    if (typeof status !== 'string' || ledger.redriven.has(task)) return;
    const codes = endedCodes[status];
    if (!codes) ledger.violate('webhooks come after the end', `${id} arrived, and its task is ${status}`);
    else if (code !== undefined && !codes.includes(code))
      ledger.violate('webhooks say how tasks ended', `${id} says ${code}, and its task is ${status}`);
  };
  const byId = new Map<string, Known>();
  const knownOf = (id: string): Known => {
    const known = byId.get(id) ?? { times: [], sent: [], accepted: 0 };
    byId.set(id, known);
    return known;
  };
  return {
    sent: (id: string, at: number): void => void knownOf(id).sent.push(at),
    arrived: (arrival: Arrival): void => {
      const { at, id, accepted } = arrival;
      const known = knownOf(id);
      const told = toldBy(arrival);
      checkEnded(id, told);
      const task = told.id;
      const row = rows.get(task);
      if (row && !ledger.redriven.has(task)) {
        const receiver = receiverOf(userOfHook(arrival.url));
        checkContent({ ledger, arrival, row, receiver, skewSeconds });
      }
      const rounds = 1 + (ledger.resent.get(task) ?? 0);
      const last = known.times.at(-1);
      if (last !== undefined && rounds === 1 && at - last < leastGapMs(skewSeconds))
        ledger.violate('pause between attempts', `${id} arrived again after ${at - last} ms`);
      known.times.push(at);
      if (known.acceptedAt !== undefined && rounds === 1) checkRepeat(id, at, known.acceptedAt);
      if (accepted) known.accepted += 1;
      if (accepted) known.acceptedAt ??= at;
      if (known.times.length > attempts * rounds)
        ledger.violate('five attempts', `${id} arrived ${known.times.length} times`);
      if (isCalm && known.accepted > rounds)
        ledger.violate('no repeat after success', `${id} was accepted ${known.accepted} times`);
    },
    of: (id: string): Known | undefined => byId.get(id),
    byId,
  };
};

export type Arrivals = ReturnType<typeof newArrivals>;
