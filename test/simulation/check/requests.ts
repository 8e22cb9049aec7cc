/** Rules about the records of requests with an `Idempotency-Key` (Reading 44). */
import type { WireItem } from '../../../infra/local/stores/wire-values.ts';
import type { Ledger } from './ledger.ts';

const numberOf = (item: WireItem | undefined, name: string): number => Number(item?.[name]?.N ?? 0);

/** Reading 8: the time in seconds, and 21 bits of a number. */
const counterSize = 2 ** 21;

/** The id of the first task of a record. */
const idOf = (record: WireItem): number =>
  numberOf(record, 'created_at') * counterSize + (numberOf(record, 'first') % counterSize);

/** `skewSeconds`: by how much clocks differ at most from each other. */
export const newRequests = (ledger: Ledger, skewSeconds: number) => {
  /** The record of each user and first number. */
  const records = new Map<string, WireItem>();
  return {
    /** Notes a write to the table of tasks. While a request holds its key, no other takes it. */
    written: (before: WireItem | undefined, after: WireItem | undefined, now: number): void => {
      if (after?.accepted === undefined) return;
      const partition = String(after.partition?.S);
      records.set(`${partition.split('#')[0]} ${idOf(after)}`, after);
      const [held, holds] = [before, after].map((item) => numberOf(item, 'lease_until'));
      if (!before || !held || !holds) return;
      if (held !== holds && held > now + skewSeconds)
        ledger.violate(
          'one request accepts at a time',
          `${partition} is taken ${held - now} s before the end of the request that has it`,
        );
    },
    /**
     * A request with a key is answered when all of its tasks are accepted. A process whose clock is ahead
     * takes the key meanwhile, and accepts the same tasks once more.
     */
    answered: (userId: number, id: number, key: string): void => {
      if (skewSeconds > 0) return;
      const record = records.get(`${userId} ${id}`);
      if (record?.accepted?.BOOL === false)
        ledger.violate('one request accepts at a time', `${key} is answered, and is still being accepted`);
    },
  };
};

export type Requests = ReturnType<typeof newRequests>;
