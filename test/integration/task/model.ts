/**
 * A model of a task without stores: the move that each message makes. The commands run messages, steps and
 * crashes against both the model and the real stores, and compare the two.
 */
import type fc from 'fast-check';
import { expect } from 'vitest';
import type { TaskStatus } from '../../../lib/model/task-status.ts';
import type { TaskKey } from '../../../lib/model/workflow.ts';
import { isFinal, serpMoves } from '../../../lib/task/status.ts';
import type { Life, Message, Search } from './life.ts';

/** A run of the task. `onRow`: its pages are already on the row, so it fetches none. */
type Run = { attempt: number; onRow: boolean; parses: number };

export type Model = {
  search: Search;
  /** Number of pages that the row has. */
  pages: number;
  status: TaskStatus;
  attempt: number;
  runs: Run[];
  delivery: 'none' | 'pending' | 'sending' | 'delivered' | 'parked';
  /** Number of the last delivery attempt that began. */
  begun: number;
  /** The attempt at which the run began that made the last attempt; 0 if a consumer made it. */
  run: number;
  posts: number;
  /** The posts that the receiver accepted. */
  taken: number;
  /** Accepted posts whose sender died before it recorded them. */
  crashes: number;
  /**
   * Number of messages that can be received, by kind. A copy of the real number, because a check sees only
   * the model.
   */
  waiting: { crawl: number; delivery: number };
  now: number;
  /** Until when the present run holds the task. */
  leasedUntil: number;
};

export type Real = {
  life: Life;
  key: TaskKey;
  createdAt: number;
  runs: {
    attempt: number;
    plan: Awaited<ReturnType<Life['planPages']>>;
    fetched: Awaited<ReturnType<Life['fetchPages']>>;
  }[];
  /** The task at the time it became final. */
  end: unknown;
};

type Command = fc.AsyncCommand<Model, Real>;

/** A message is received one to five times. */
const maxReceives = 5;
const overdueSeconds = 6 * 3600;
const leaseSeconds = 300;

const isCrawl = ({ kind }: Message) => kind === 'crawl';
const open = (life: Life, crawl: boolean) =>
  life.messages.filter((message) => isCrawl(message) === crawl && message.receives < maxReceives);

const receive = (real: Real, crawl: boolean, pick: number): Message => {
  const choice = open(real.life, crawl);
  const message = choice[pick % choice.length];
  if (!message) throw new Error('There is no such message');
  message.receives++;
  return message;
};

/**
 * Picks from the latest run backwards: small numbers are the most frequent, and the latest run has the most
 * left to do.
 */
const fromLatest = (runs: Run[], pick: number): number => runs.length - 1 - (pick % runs.length);

const end = (model: Model, status: TaskStatus) => {
  model.status = status;
  if (model.search.postback) model.delivery = 'pending';
};

const whatIsKept = async ({ life, key }: Real) => {
  const row = await life.readRow(key);
  const { status, error_message, stored, pages, succeed_at, reused, complete, delivery } = row;
  const result = await life.readResult(row);
  return { status, error_message, stored, pages, succeed_at, reused, complete, delivery, result };
};

/** Compares the model with the stores, then counts the messages that the next command can choose from. */
const compare = async (model: Model, real: Real): Promise<void> => {
  const { life, key } = real;
  const row = await life.readRow(key);
  expect({
    status: row.status,
    attempt: row.attempt,
    delivery: row.delivery_state ?? 'none',
    begun: row.delivery_attempt,
    posts: life.receiver.received.length,
  }).toEqual({
    status: model.status,
    attempt: model.attempt,
    delivery: model.delivery,
    begun: model.begun,
    posts: model.posts,
  });
  const written = life.history.get(key.id) ?? [];
  for (const [n, to] of written.slice(1).entries()) {
    expect(serpMoves).toContainEqual(expect.objectContaining({ from: written[n], to }));
  }
  if (isFinal(model.status)) {
    real.end ??= await whatIsKept(real);
    expect(await whatIsKept(real)).toEqual(real.end);
  }
  model.waiting = { crawl: open(life, true).length, delivery: open(life, false).length };
};

const command = (name: string, check: Command['check'], run: Command['run']): Command => ({
  check,
  run: async (model, real) => {
    await run(model, real);
    await compare(model, real);
  },
  toString: () => name,
});

/** Whether a run holds the task. */
const isHeld = ({ status, now, leasedUntil }: Model): boolean => status === 'crawling' && now < leasedUntil;

/** Claims a task that no run holds, unless its pages are fetched already. */
const claim = (model: Model): void => {
  if (model.status === 'parsing') return;
  model.attempt++;
  model.leasedUntil = model.now + leaseSeconds;
  model.status = model.status === 'awaiting' && model.search.reuse ? 'parsing' : 'crawling';
};

/** Receives a crawl message: a run begins. */
export const plan = (pick: number): Command =>
  command(
    `plan(${pick})`,
    (model) => model.waiting.crawl > 0,
    async (model, real) => {
      const message = receive(real, true, pick);
      const { user_id, id } = JSON.parse(message.body);
      const found = await real.life.planPages({ user_id, id }, real.createdAt + model.now);
      if (isFinal(model.status)) {
        expect(found.outcome).toBe('final');
        if (found.delivery)
          await real.life.queueDelivery({ ...real.key, delivery: found.delivery, attempt: 1 });
        return;
      }
      // A run that holds the task keeps it until its lease ends.
      if (isHeld(model)) {
        expect(found.outcome).toBe('stale');
        return;
      }
      const reuses = model.status === 'awaiting' && model.search.reuse;
      const onRow = reuses || model.status === 'parsing';
      claim(model);
      expect(found).toMatchObject({ outcome: onRow ? 'fetched' : 'claimed', attempt: model.attempt });
      model.runs.push({ attempt: model.attempt, onRow, parses: 0 });
      real.runs.push({ attempt: found.attempt, plan: found, fetched: [] });
    },
  );

export type Death = 'none' | 'before the final write' | 'before the delivery is queued';

/** The pages are on the row. An engine that finds nothing has no second page. */
const record = (model: Model): void => {
  if (model.search.kind === 'empty') model.pages = 1;
};

/**
 * A run fetches its pages, and ends the task if there is only one. For an overtaken run the fetch fails. A
 * repeated step fetches again, unless the only page is on the row already. If it dies before the final write,
 * the task is left to be parsed, also by a step that runs again.
 */
export const fetchPages = (pick: number, death: Death): Command =>
  command(
    `fetch(${pick}${death === 'none' ? '' : `, dies ${death}`})`,
    (model) => model.runs.length > 0,
    async (model, real) => {
      const n = fromLatest(model.runs, pick);
      const [run, hand] = [model.runs[n], real.runs[n]];
      if (!run || !hand || run.onRow) return;
      const isOwn = run.attempt === model.attempt;
      const isOnly = isOwn && model.pages === 1;
      const isLost = isOnly && (model.status === 'error' || model.status === 'dead_letter');
      const isRead = isOwn && model.search.kind !== 'cut' && !isLost;

      const died = await real.life.dyingAt(
        ({ status }) => death === 'before the final write' && status === 'success',
        async () => {
          hand.fetched = await real.life.fetchPages(hand.plan);
        },
      );

      const [page] = hand.fetched;
      expect(page).toMatchObject({ outcome: isRead ? 'fetched' : 'failed' });
      const isLeft = isOnly && model.status === 'parsing';
      const ends = isOnly && isRead && !isLeft && !isFinal(model.status);
      expect(died).toBe(ends && death === 'before the final write');
      expect(page?.ended?.outcome).toBe(isOnly && isRead && !isLeft && !died ? 'final' : undefined);
      if (ends) record(model);
      if (died) model.status = 'parsing';
      else if (ends) end(model, 'success');
      const delivery = page?.ended?.delivery;
      if (delivery && death === 'none') await real.life.queueDelivery({ ...real.key, delivery, attempt: 1 });
    },
  );

/** A run ends the task, or dies before that. */
export const parse = (pick: number, death: Death): Command =>
  command(
    `parse(${pick}${death === 'none' ? '' : `, dies ${death}`})`,
    (model) => model.runs.length > 0,
    async (model, real) => {
      const n = fromLatest(model.runs, pick);
      const [run, hand] = [model.runs[n], real.runs[n]];
      if (!run || !hand || (!run.onRow && hand.fetched.length === 0)) return;
      if (run.parses++ === maxReceives) return;
      const isOwn = run.attempt === model.attempt;
      const holds = isOwn && ['crawling', 'parsing'].includes(model.status);
      const hasEnded = isOwn && isFinal(model.status);

      let delivery: string | null = null;
      const died = await real.life.dyingAt(
        ({ status }) => death === 'before the final write' && (status === 'success' || status === 'error'),
        async () => {
          const parsed = await real.life.parseTask({ ...real.key, attempt: run.attempt }, hand.fetched);
          // A step that runs again after the end says how the task has ended.
          expect(parsed.outcome).toBe(holds || hasEnded ? 'final' : 'stale');
          delivery = parsed.delivery;
        },
      );

      expect(died).toBe(holds && death === 'before the final write');
      if (holds) record(model);
      if (died) model.status = 'parsing';
      else if (holds) end(model, model.search.kind === 'cut' ? 'error' : 'success');
      if (delivery && death === 'none') await real.life.queueDelivery({ ...real.key, delivery, attempt: 1 });
    },
  );

/** Receives a crawl message for the last time while the machine is broken. */
export const breakRun = (pick: number): Command =>
  command(
    `break(${pick})`,
    (model) => model.waiting.crawl > 0,
    async (model, real) => {
      await real.life.breakRun(receive(real, true, pick), real.createdAt + model.now);
      if (isFinal(model.status) || isHeld(model)) return;
      claim(model);
      end(model, 'dead_letter');
    },
  );

/**
 * Receives a delivery message, from the queue or after a wait. The receiver accepts the post or refuses it.
 */
export const deliver = (pick: number, taken: boolean, dies: boolean): Command =>
  command(
    `deliver(${pick}, ${taken ? 'taken' : 'refused'}${dies ? ', dies before that is written' : ''})`,
    (model) => model.waiting.delivery > 0,
    async (model, real) => {
      const message = receive(real, false, pick);
      const named = JSON.parse(message.body).attempt;
      // A run makes the attempts after its first, until another process makes one.
      const isRun = message.kind === 'wait' && named <= 5;
      const isOwn = model.begun === named - 1 || (model.begun >= named && model.run === named);
      const attempt = isRun ? (isOwn ? model.begun + 1 : 0) : named;
      const waits = model.delivery === 'pending' || model.delivery === 'sending';
      const begins = waits && attempt > model.begun && attempt <= 5;
      real.life.receiver.answers.splice(0, Infinity, ...(begins && !taken ? [500] : []));

      const died = await real.life.dyingAt(
        ({ delivery_state }) => dies && delivery_state === 'delivered',
        () => real.life.handleDelivery(message),
      );

      expect(died).toBe(begins && taken && dies);
      if (begins) {
        model.begun = attempt;
        model.run = isRun ? named : 0;
        model.posts++;
        if (taken) model.taken++;
        model.delivery = died ? 'sending' : taken ? 'delivered' : 'pending';
        if (died) model.crashes++;
      } else if (waits && named > 5 && message.kind === 'wait') {
        model.delivery = 'parked';
      }
    },
  );

/** The sweeper runs, some time later or after the task's deadline. */
export const sweep = (seconds: number): Command =>
  command(
    `sweep(after ${seconds} s)`,
    (model) => model.now + seconds < 80_000,
    async (model, real) => {
      model.now += seconds;
      await real.life.sweepTasks(real.createdAt + model.now);
      if (!isFinal(model.status) && model.now >= overdueSeconds) end(model, 'error');
    },
  );

/** Accepts a task, in the stores and in the model. */
export const begin = async (life: Life, search: Search): Promise<{ model: Model; real: Real }> => {
  const { created_at, ...key } = await life.accept(search);
  return {
    real: { life, key, createdAt: created_at, runs: [], end: undefined },
    model: {
      search,
      pages: search.depth / 10,
      status: 'awaiting',
      attempt: 0,
      runs: [],
      delivery: 'none',
      begun: 0,
      run: 0,
      posts: 0,
      taken: 0,
      crashes: 0,
      waiting: { crawl: 1, delivery: 0 },
      now: 0,
      leasedUntil: 0,
    },
  };
};

/** A whole run, from its message to its end. */
export const runOnce = async (model: Model, real: Real, message = 0): Promise<void> => {
  await plan(message).run(model, real);
  if (model.runs.length === 0) return;
  await fetchPages(0, 'none').run(model, real);
  if (!isFinal(model.status)) await parse(0, 'none').run(model, real);
};

/**
 * Handles all remaining messages and sweeps until the task is settled. Nothing dies, and the receiver accepts
 * all posts or none.
 */
export const settle = async (model: Model, real: Real, taken: boolean): Promise<void> => {
  const isSettled = () => isFinal(model.status) && ['none', 'delivered', 'parked'].includes(model.delivery);
  const unread = (crawl: boolean) => open(real.life, crawl).findIndex(({ receives }) => receives === 0);
  for (let turns = 0; turns < 100; turns++) {
    const [crawl, delivery] = [unread(true), unread(false)];
    if (crawl >= 0) {
      await runOnce(model, real, crawl);
    } else if (delivery >= 0) {
      await deliver(delivery, taken, false).run(model, real);
    } else if (!isSettled()) {
      await sweep(1000).run(model, real);
    } else {
      return;
    }
  }
  throw new Error('The task does not settle');
};
