/** Hands a search to the upstream provider. The task then waits for the provider's pingback. */
import { makePingbackToken } from '../access/pingback-token.ts';
import { findOrder, isPassing, orderPages } from '../fetcher/upstream.ts';
import { countryOf } from '../model/country.ts';
import { engines, takesPlaces } from '../model/engine.ts';
import { askedWords } from '../model/keyword.ts';
import { languageTag } from '../model/language.ts';
import type { HandedSearch } from '../model/workflow.ts';
import { recordOutcome } from '../pace/fetcher-health.ts';
import { matchPlace } from '../place/match.ts';
import { countryNamed } from '../place/table.ts';
import { clock, stopwatch } from '../runtime/clock.ts';
import { setting } from '../runtime/env.ts';
import type { SerpRow } from '../store/task-row.ts';
import { beginOrder, moveRow, readRow } from '../store/tasks.ts';
import { readAccount } from '../store/users.ts';
import { deadlineOf } from '../task/deadline.ts';
import { isFinal } from '../task/status.ts';
import { graceSeconds } from '../task/timing.ts';
import { endRefused, finalStep, logFault, type ProviderStep, shownReason, stepOf } from './provider-step.ts';

/**
 * A run hands its search over again if the provider did not answer, up to this one. The pauses between them
 * take 2.5 minutes.
 */
const lastRun = 5;

/** The provider takes no longer keyword. */
const maxKeywordLength = 700;

/**
 * The coordinates of a search, or else the full name of its place, as the provider wants it. A name with
 * three parts is full. A name that the table does not know is passed on as given, because the provider may
 * know it.
 */
const placeOf = async ({ engine, location_name, iso_code, coordinates }: SerpRow): Promise<string> => {
  if (coordinates) return coordinates;
  const country = (await countryNamed(iso_code)) ?? countryOf(iso_code);
  if (!takesPlaces(engine) || location_name === '') return country;
  const { name, places } = await matchPlace(location_name, iso_code);
  return name.split(',').length >= 3 ? name : (places[0] ?? name);
};

/**
 * The URL that the provider calls back; null if the service does not know its own address. The deadline then
 * ends the wait.
 */
const pingbackUrlOf = async (row: SerpRow): Promise<string | null> => {
  if (!/^https?:/.test(row.base_url)) return null;
  const account = await readAccount(row.user_id);
  return account ? `${row.base_url}/upstream/${makePingbackToken(account, row)}` : null;
};

/**
 * When the provider is overdue. Before the deadline of the task, so that it is asked once before the task
 * ends.
 */
const overdueAt = (row: SerpRow, now: number): number =>
  Math.min(
    now + Number(setting('UPSTREAM_DEADLINE')),
    Math.max(now, deadlineOf(row.created_at) - 2 * graceSeconds),
  );

/** The tag of an order: the run that makes it. */
const tagOf = ({ user_id, id }: SerpRow, attempt: number): string => `${user_id}-${id}-${attempt}`;

/** The order of the pages of the run's search. */
const orderOf = async (row: SerpRow): Promise<Parameters<typeof orderPages>[0]> => {
  const [place, pingbackUrl] = await Promise.all([placeOf(row), pingbackUrlOf(row)]);
  return {
    engine: row.engine,
    keyword: askedWords(row.keyword),
    place,
    language_code: languageTag(row.language_code) || 'en',
    device: row.device,
    domain: new URL(row.pages[0]?.url ?? '').hostname.replace(/^www\./, ''),
    pages: row.pages.length,
    results: row.pages.length * engines[row.engine].resultsPerPage,
    tag: tagOf(row, row.attempt),
    pingbackUrl,
  };
};

/** Longer than a step takes from the record that an order begins to the answer of the provider. */
const orderSeconds = 60;

/**
 * An order that began so recently may be missing in the provider's list. Shorter than the pause before the
 * next run.
 */
const listedAfterSeconds = 5;

/** An order whose record took longer is left to the next run: it would be much younger than its record. */
const recordedWithinMs = 2000;

/**
 * Looks for the order of an earlier step or run that died, or that got no answer. `early`: the order may not
 * be listed yet.
 */
const findEarlier = async (row: SerpRow, { first, last }: NonNullable<SerpRow['ordering']>, now: number) => {
  const tags = new Set(Array.from({ length: row.attempt }, (_, n) => tagOf(row, n + 1)));
  const found = await findOrder(tags, { from: first, to: Math.min(now, last + orderSeconds) });
  if (!found.ok) return found;
  if (found.value !== null) return { ok: true as const, value: found.value };
  return now < last + listedAfterSeconds ? 'early' : 'none';
};

/**
 * Records that an order begins, and makes it. `begun`: another step of the run has begun it, and records what
 * becomes of it. `late`: it is not made. `secondsAt`: the time (Unix seconds) at a time of `nowMs`.
 */
const makeOrder = async (row: SerpRow, secondsAt: (ms: number) => number, nowMs: () => number) => {
  const order = await orderOf(row);
  const began = nowMs();
  if (!(await beginOrder(row, secondsAt(began)))) return 'begun';
  return nowMs() - began > recordedWithinMs ? 'late' : orderPages(order);
};

/** How long the sweeper waits before it asks for the pages of an order whose pingback may be lost. */
const askSeconds = 60;

/**
 * The changes of a task whose search the provider has accepted under an id. `orderedAt`: when it was ordered
 * at the earliest. The pingback of an earlier run's order is not for this run, so the sweeper asks for its
 * pages soon.
 */
const acceptedChanges = (
  row: SerpRow,
  { next }: Pick<HandedSearch, 'next'>,
  id: string,
  now: number,
  orderedAt = now,
) => {
  const until = overdueAt(row, now);
  return {
    status: 'awaiting_webhook' as const,
    upstream_id: id,
    upstream: { accepted_at: orderedAt, until, chosen: next },
    ordering: undefined,
    // What the provider sends to the engine is not known.
    user_agent: undefined,
    lease_until: 0,
    due_at: orderedAt === now ? until : Math.min(until, now + askSeconds),
    postponed_to: undefined,
  };
};

/**
 * Orders all pages of the run's search as one task of the provider (Reading 1). A record says that an order
 * begins before it is made. If there is such a record already, an earlier step or run may have ordered the
 * search, so the provider's list is asked for that order first: a search is not paid for twice.
 */
export const postSearch = async (
  run: HandedSearch,
  now = clock(),
  nowMs = stopwatch,
): Promise<ProviderStep> => {
  const started = nowMs();
  const row = await readRow(run.user_id, run.id);
  if (!row || row.attempt !== run.attempt) return stepOf(run, 'stale');
  if (isFinal(row.status)) return finalStep(row, run);
  // The step ran before, or the pingback was faster than it.
  if (row.status !== 'crawling') return stepOf(run, 'handed');
  if (row.keyword.length > maxKeywordLength) {
    return endRefused(row, run, `the provider takes keywords of at most ${maxKeywordLength} characters`, now);
  }
  const earlier = row.ordering && (await findEarlier(row, row.ordering, now));
  if (earlier === 'early') return stepOf(run, 'throttled');
  const isNew = !earlier || earlier === 'none';
  // The list and the reads before the order may have taken seconds.
  const secondsAt = (ms: number) => now + Math.ceil((ms - started) / 1000);
  const answer = isNew ? await makeOrder(row, secondsAt, nowMs) : earlier;
  if (answer === 'begun') return stepOf(run, 'handed');
  if (answer === 'late') return stepOf(run, 'throttled');
  if (answer.ok) {
    const orderedAt = isNew ? now : row.ordering?.first;
    await moveRow(
      row,
      { from: ['crawling'], attempt: run.attempt },
      acceptedChanges(row, run, answer.value, now, orderedAt),
    );
    // If another step was faster, the task is no longer `crawling`, and its run goes on all the same.
    return stepOf(run, 'handed');
  }
  logFault(row, isNew ? 'order' : 'find', answer);
  if (answer.problem === 'throttled') {
    // The provider has said that it has no order of this search, so the next run may fetch the pages itself.
    if (isNew) await moveRow(row, { from: ['crawling'], attempt: run.attempt }, { ordering: undefined });
    return stepOf(run, 'throttled');
  }
  await recordOutcome(row.engine, run.next, 'failed', now);
  if (isPassing(answer) && run.attempt < lastRun) return stepOf(run, 'throttled');
  return endRefused(row, run, shownReason(answer), now);
};

export { unhanded } from './provider-step.ts';
