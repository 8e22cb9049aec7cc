/** Hands a search to the upstream provider. The task then waits for the provider's pingback. */
import { makePingbackToken } from '../access/pingback-token.ts';
import { orderPages } from '../fetcher/upstream.ts';
import { countryOf } from '../model/country.ts';
import { engines, takesPlaces } from '../model/engine.ts';
import { languageTag } from '../model/language.ts';
import type { HandedSearch } from '../model/workflow.ts';
import { matchPlace } from '../place/match.ts';
import { countryNamed } from '../place/table.ts';
import { clock } from '../runtime/clock.ts';
import { setting } from '../runtime/env.ts';
import type { SerpRow } from '../store/task-row.ts';
import { moveRow, readRow } from '../store/tasks.ts';
import { readAccount } from '../store/users.ts';
import { deadlineOf } from '../task/deadline.ts';
import { waitingDelivery } from '../task/final-write.ts';
import { isFinal } from '../task/status.ts';
import { graceSeconds } from '../task/timing.ts';
import { recordOutcome } from './fetcher-health.ts';
import { endRefused, logFault, type ProviderStep, shownReason, stepOf } from './provider-step.ts';

/** A run hands its search over again if the provider did not answer, up to this one. The pauses between them take 2.5 minutes. */
const lastRun = 5;

/** The provider takes no longer keyword. */
const maxKeywordLength = 700;

/**
 * The coordinates of a search, or else the full name of its place, as the provider wants it. A name with three parts is full. A name that the table does not know is
 * passed on as given, because the provider may know it.
 */
const placeOf = async ({ engine, location_name, iso_code, coordinates }: SerpRow): Promise<string> => {
  if (coordinates) return coordinates;
  const country = (await countryNamed(iso_code)) ?? countryOf(iso_code);
  if (!takesPlaces(engine) || location_name === '') return country;
  const { name, places } = await matchPlace(location_name, iso_code);
  return name.split(',').length >= 3 ? name : (places[0] ?? name);
};

/** The URL that the provider calls back; null if the service does not know its own address. The deadline then ends the wait. */
const pingbackUrlOf = async (row: SerpRow): Promise<string | null> => {
  if (!/^https?:/.test(row.base_url)) return null;
  const account = await readAccount(row.user_id);
  return account ? `${row.base_url}/upstream/${makePingbackToken(account, row)}` : null;
};

/** When the provider is overdue. Before the deadline of the task, so that it is asked once before the task ends. */
const overdueAt = (row: SerpRow, now: number): number =>
  Math.min(
    now + Number(setting('UPSTREAM_DEADLINE')),
    Math.max(now, deadlineOf(row.created_at) - 2 * graceSeconds),
  );

/** The changes of a task whose search the provider has accepted under an id. */
const acceptedChanges = (row: SerpRow, { next }: Pick<HandedSearch, 'next'>, id: string, now: number) => {
  const until = overdueAt(row, now);
  return {
    status: 'awaiting_webhook' as const,
    upstream_id: id,
    upstream: { accepted_at: now, until, chosen: next },
    // What the provider sends to the engine is not known.
    user_agent: undefined,
    lease_until: 0,
    due_at: until,
    postponed_to: undefined,
  };
};

/**
 * Orders all pages of the run's search as one task of the provider (Reading 1). A step that runs twice orders twice, which costs the price of
 * the pages again; the pages of the order that is recorded are used.
 */
export const postSearch = async (run: HandedSearch, now = clock()): Promise<ProviderStep> => {
  const row = await readRow(run.user_id, run.id);
  if (!row || row.attempt !== run.attempt) return stepOf(run, 'stale');
  if (isFinal(row.status)) return stepOf(run, 'final', waitingDelivery(row));
  // The step ran before, or the pingback was faster than it.
  if (row.status !== 'crawling') return stepOf(run, 'handed');
  if (row.keyword.length > maxKeywordLength) {
    return endRefused(row, run, `the provider takes keywords of at most ${maxKeywordLength} characters`, now);
  }
  const [place, pingbackUrl] = await Promise.all([placeOf(row), pingbackUrlOf(row)]);
  const answer = await orderPages({
    engine: row.engine,
    keyword: row.keyword,
    place,
    language_code: languageTag(row.language_code) || 'en',
    device: row.device,
    domain: new URL(row.pages[0]?.url ?? '').hostname.replace(/^www\./, ''),
    pages: row.pages.length,
    results: row.pages.length * engines[row.engine].resultsPerPage,
    tag: `${row.user_id}-${row.id}-${row.attempt}`,
    pingbackUrl,
  });
  if (answer.outcome === 'accepted') {
    await moveRow(
      row,
      { from: ['crawling'], attempt: run.attempt },
      acceptedChanges(row, run, answer.id, now),
    );
    // If another step was faster, the task is no longer `crawling`, and its run goes on all the same.
    return stepOf(run, 'handed');
  }
  logFault(row, 'order', answer);
  if (answer.outcome === 'later') return stepOf(run, 'throttled');
  await recordOutcome(row.engine, run.next, 'failed', now);
  if (answer.outcome === 'broken' && run.attempt < lastRun) return stepOf(run, 'throttled');
  return endRefused(row, run, shownReason(answer), now);
};

export { unhanded } from './provider-step.ts';
