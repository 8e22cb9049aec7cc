/**
 * The faults of a world. Each question "does it strike here?" has a number, and the seed decides it by kind
 * and number alone, so that a shorter run can keep some of the faults and leave out the others.
 */
import { hashText } from './random.ts';

export const faultKinds = [
  'crash before a call',
  'crash after a call',
  'lost answer',
  'lost answer of a condition',
  'throttled call',
  'failed call',
  'slow call',
  'throttled function',
  'duplicate',
  'reorder',
  'late message',
  'lost acknowledgement',
  'stale index',
  'vanished run',
  'unanswered run',
  'missed schedule',
  'double schedule',
  'late schedule',
  'crash during a request',
  'crash of a planner',
  'crash during a question',
  'crash during a pause',
  'crash of an alert',
  'stale read',
  'refused calls',
  'refused record',
  'unprocessed item',
  'deadly search',
  'ended command',
  'stalled queue',
] as const;
export type FaultKind = (typeof faultKinds)[number];

/** Faults after which the service does the same work later: they end no task, and lose no record. */
const delaying: readonly FaultKind[] = [
  'throttled call',
  'failed call',
  'refused calls',
  'refused record',
  'unprocessed item',
  'duplicate',
  'reorder',
  'stale index',
  'stale read',
  'missed schedule',
  'double schedule',
  'late schedule',
  'stalled queue',
];

export const isDelaying = (kind: string): boolean => delaying.some((each) => each === kind);

/** The kind of a fault that struck. */
export const kindOf = ({ key }: Struck): string => key.replace(/ \d+$/, '');

/** Calls may be refused so long after the fault that lets a service do so (milliseconds). */
export const refusedMs = 60_000;

export type Rates = Partial<Record<FaultKind, number>>;

/** A fault that struck: its kind and number, when (milliseconds), and where. */
export type Struck = { key: string; at: number; where: string };

export type Faults = {
  strikes: (kind: FaultKind, where: string) => boolean;
  /** How much the fault that struck last is: 0 to less than `below`. */
  amount: (kind: FaultKind, below: number) => number;
  struck: () => readonly Struck[];
};

type Options = {
  seed: number;
  rates: Rates;
  now: () => number;
  /** Nothing strikes before `from` and after `until` (milliseconds). */
  from: number;
  until: number;
  /** If given, only these faults strike. */
  only?: ReadonlySet<string> | undefined;
  onStrike: (struck: Struck) => void;
};

export const newFaults = ({ seed, rates, now, from, until, only, onStrike }: Options): Faults => {
  const asked = new Map<FaultKind, number>();
  const struck: Struck[] = [];
  return {
    strikes: (kind, where) => {
      const rate = rates[kind] ?? 0;
      if (rate === 0 || now() < from || now() >= until) return false;
      const number = (asked.get(kind) ?? 0) + 1;
      asked.set(kind, number);
      const key = `${kind} ${number}`;
      if (hashText(`${seed}/${key}`) / 4294967296 >= rate || (only && !only.has(key))) return false;
      const fault = { key, at: now(), where };
      struck.push(fault);
      onStrike(fault);
      return true;
    },
    amount: (kind, below) => hashText(`${seed}/${kind} ${asked.get(kind)}/amount`) % below,
    struck: () => struck,
  };
};
