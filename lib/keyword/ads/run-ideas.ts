/** Runs a task of keyword ideas, or of the figures of its keywords. */
import { keywordForm, noMetrics } from '../../model/keyword-metrics.ts';
import { pageUrlOf } from '../../model/keyword-request.ts';
import { maxIdeas } from '../../model/request-limits.ts';
import { pauseSeconds, requestTurn, waitForTurn } from '../../pace/ads-turn.ts';
import { errorMessageOf, type Idea, type IdeasPage, type Read } from '../../provider/contract.ts';
import { clock, preciseClock, sleepUntil } from '../../runtime/clock.ts';
import { inBatches } from '../../runtime/in-parallel.ts';
import { putResult } from '../../store/put-result.ts';
import type { IdeasRow } from '../../store/task-row.ts';
import { readTaskRow } from '../../store/tasks.ts';
import { isFinal } from '../../task/status.ts';
import { callSource, prepareCall } from './call-source.ts';
import { endInFailure, endInSuccess, logSuccess, postpone, type Received, showParsing } from './received.ts';
import { volumeSource } from './source.ts';
import { fetchVolumes, formsOf, type Volumes } from './volumes.ts';

/**
 * Pages of ideas that are asked for. The source gives all ideas on one page, unless its pages are smaller.
 */
const maxPages = 10;

const patience = { deadlineMs: 30_000, attempts: 3 };
const turnSeconds = 20;

/** The next call has its turn later, at this Unix time. */
const noTurn = (at: number): Extract<Read<never>, { ok: false }> => ({
  ok: false,
  problem: 'throttled',
  word: 'throttled',
  reason: 'no turn for the next page',
  retryAfterSeconds: Math.ceil(at - preciseClock()),
});

/** Gets the ideas, page by page. The caller has taken the turn of the first page. */
const fetchIdeas = async (row: IdeasRow): Promise<Read<Omit<IdeasPage, 'nextPageToken'>>> => {
  const { user_id, keywords, page_url, location_code, language_code } = row;
  const seeds = { keywords, pageUrl: page_url ? (pageUrlOf(page_url) ?? null) : null };
  const market = { location: location_code, language: language_code || null };
  const ideas: Idea[] = [];
  let devices: IdeasPage['devices'] = [];
  let pageToken = '';
  for (let page = 1; ; page++) {
    const latest = preciseClock() + turnSeconds;
    const size = maxIdeas - ideas.length;
    const read = await callSource(
      user_id,
      volumeSource().ideas,
      { seeds, market, size, pageToken },
      { ...patience, latest },
    );
    if (!read.ok) return read;
    ideas.push(...read.value.ideas);
    if (page === 1) devices = read.value.devices;
    pageToken = read.value.nextPageToken;
    if (pageToken === '' || ideas.length >= maxIdeas || page === maxPages) break;
    const turn = await waitForTurn(user_id, latest);
    if (turn.outcome === 'wait') return noTurn(turn.at);
  }
  return { ok: true, value: { ideas: ideas.slice(0, maxIdeas), devices } };
};

/** Gets the figures of the keywords. The caller has taken the turn of the first call. */
const fetchFigures = async (row: IdeasRow): Promise<Read<Omit<IdeasPage, 'nextPageToken'>>> => {
  const { user_id, keywords, location_code, language_code } = row;
  const market = { location: location_code, language: language_code || null };
  const found: Volumes = new Map();
  let isFirst = true;
  for (const forms of inBatches(formsOf(keywords), volumeSource().maxKeywords)) {
    const latest = preciseClock() + turnSeconds;
    const turn = isFirst ? undefined : await waitForTurn(user_id, latest);
    if (turn?.outcome === 'wait') return noTurn(turn.at);
    isFirst = false;
    const read = await fetchVolumes(user_id, forms, market, { ...patience, latest });
    if (!read.ok) return read;
    for (const [form, volume] of read.value) found.set(form, volume);
  }
  const ideas = keywords.map((text) => ({
    text,
    metrics: found.get(keywordForm(text))?.metrics ?? noMetrics,
    concepts: [],
  }));
  return { ok: true, value: { ideas, devices: [] } };
};

/** The ideas that the task asked for: the seeds themselves only if it wants them. */
const wanted = ({ include_seed_keyword, keywords }: IdeasRow, ideas: Idea[]): Idea[] => {
  const seeds = new Set(keywords.map(keywordForm));
  return include_seed_keyword ? ideas : ideas.filter(({ text }) => !seeds.has(keywordForm(text)));
};

const runOne = async (received: Received): Promise<void> => {
  const { user_id, id, throttled } = received.message;
  const row = await readTaskRow(user_id, id);
  if (row?.kind !== 'ideas' || isFinal(row.status)) return;
  await prepareCall();
  const turn = await requestTurn(user_id);
  if (turn.outcome === 'wait') return postpone([received], [row], turn.at, false);
  await showParsing([row]);
  await sleepUntil(turn.at);
  const read = await (row.figures_only ? fetchFigures(row) : fetchIdeas(row));
  if (!read.ok && read.problem === 'throttled') {
    const seconds = Math.max(read.retryAfterSeconds ?? 0, pauseSeconds(throttled + 1));
    return postpone([received], [row], preciseClock() + seconds, true);
  }
  const now = clock();
  if (!read.ok) {
    return endInFailure([row], { status: 'error', error_message: errorMessageOf(read) }, now);
  }
  const { ideas, devices } = read.value;
  const stored = await putResult(
    { ...row, attempt: row.attempt + 1 },
    { ideas: wanted(row, ideas), devices },
  );
  if ((await endInSuccess([{ row, changes: { stored, crawled_at: now } }], now)) > 0) logSuccess(row, now);
};

/** Ends the task of each message with its ideas, or postpones it until a call may be made. */
export const runIdeas = async (group: readonly Received[]): Promise<void> => {
  for (const received of group) await runOne(received);
};
