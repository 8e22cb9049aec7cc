/**
 * Clients that read a task as soon as they know of it: after the answer that has created it, and when its
 * webhook arrives. What they read is not older than what they know.
 */

import type { WireItem } from '../../../infra/local/stores/wire-values.ts';
import type { Ledger } from '../check/ledger.ts';
import { hashText } from '../world/random.ts';
import type { World } from '../world/world.ts';
import type { Arrival } from './receivers.ts';

type Options = {
  world: World;
  ledger: Ledger;
  keyOf: (user: number) => string;
  /** The rows of tasks and batches, as the table has them. */
  rows: ReadonlyMap<number, WireItem>;
};

/** The order in which a client sees the states of a task (Reading 1). All final states are the last one. */
const order = ['awaiting', 'crawling', 'awaiting_webhook', 'parsing'];
const placeOf = (status: unknown): number => {
  const place = order.indexOf(String(status));
  return place < 0 ? order.length : place;
};

/** One task of so many is read after its creation, and when its webhook arrives. */
const oneOf = 3;
const isChosen = (id: number): boolean => hashText(`read ${id}`) % oneOf === 0;

export const newReaders = ({ world, ledger, keyOf, rows }: Options) => {
  const read = async (user: number, id: number): Promise<void> => {
    const row = rows.get(id);
    if (row?.kind?.S !== 'serp' || ledger.redriven.has(id)) return;
    const before = String(row.status?.S);
    const path = `/api/${row.api?.S ?? 'v2'}/serp/crawl/${id}`;
    const { status, body } = await world.ask(keyOf(user), 'GET', path);
    if (ledger.redriven.has(id) || ledger.erased.has(user)) return;
    if (status === 404) ledger.violate('reads show the last write', `${path} answers 404, and was ${before}`);
    if (status === 200 && placeOf(body.status) < placeOf(before))
      ledger.violate('reads show the last write', `${path} says ${body.status} after it was ${before}`);
  };
  return {
    /** A client reads a task that was acknowledged. */
    created: async (user: number, id: number): Promise<void> => {
      if (isChosen(id)) await read(user, id);
    },
    /** A receiver reads the task that a webhook is about. */
    arrived: async (user: number, { body }: Arrival): Promise<void> => {
      const id = Number(body.id ?? body.task_id ?? 0);
      if (isChosen(id) && !ledger.disabled.has(user) && !ledger.keyless.has(user)) await read(user, id);
    },
  };
};

export type Readers = ReturnType<typeof newReaders>;
