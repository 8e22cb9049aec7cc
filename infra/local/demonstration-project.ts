/**
 * The demonstration project: keywords with a month of history from the sandbox, so that a newcomer sees
 * movement at once. Never asks an engine.
 */
import { sandboxLocation, sandboxPage } from '../../lib/fetcher/sandbox.ts';
import { secondsOfDay } from '../../lib/model/day.ts';
import { defaultEngine } from '../../lib/model/engine.ts';
import type { Gap, TrackedKeyword } from '../../lib/model/tracking.ts';
import type { Account } from '../../lib/model/user.ts';
import { addKeywords } from '../../lib/reporting/manage/add-keywords.ts';
import { createProject } from '../../lib/reporting/manage/projects.ts';
import { observe, observeGap } from '../../lib/reporting/observe.ts';
import { readPosition } from '../../lib/reporting/run/read-position.ts';
import { calendar } from '../../lib/runtime/calendar.ts';
import { inParallel } from '../../lib/runtime/in-parallel.ts';
import { pageUrl } from '../../lib/serp/address.ts';
import { mergePages } from '../../lib/serp/merge.ts';
import { readers } from '../../lib/serp/reader.ts';
import { changeChunk, readPresentChunks } from '../../lib/store/chunks.ts';
import { type HistoryEntry, isGap, putHistory } from '../../lib/store/observations.ts';

/**
 * Sites of the sandbox's first pages: one whose rank changes from day to day, and one whose rank is always
 * the same.
 */
const domain = 'drifter.example';
const competitors = ['acme.example'];

const searches = [
  ['coffee grinder', 'desktop'],
  ['coffee beans', 'desktop'],
  ['espresso machine', 'mobile'],
  ['best tea kettle', 'desktop'],
  ['how to clean a moka pot', 'mobile'],
  ['cold brew recipe', 'desktop'],
] as const;

const days = 30;
const pageMilliseconds = 5000;

/** What a crawl of the first page at a time gives for a keyword. */
const crawl = async (keyword: TrackedKeyword, at: number): Promise<HistoryEntry> => {
  const { engine, device, iso_code, language_code } = keyword;
  const url = pageUrl({ ...keyword, depth: 10 }, 1);
  const request = { engine, url, device, iso_code, language_code };
  const page = await sandboxPage(request, pageMilliseconds, '', at);
  if (!page.ok) return { at, reason: page.reason };
  // As a crawl does: the page hides the addresses of its results.
  const targetOf = (link: string) => sandboxLocation(request, link) ?? undefined;
  const result = mergePages([readers[engine].open(page.body, targetOf).read(device)], 10);
  return readPosition(keyword, competitors, { at, result, first: result });
};

/** The gap of the demonstration: a day on which the first search was blocked. */
const gapOf = (at: number): Gap => ({ at, reason: 'captcha: the engine asks for proof of a person' });
const gapDay = 9;

/** Crawls that are invented at a time. */
const width = 8;

/** The history of a keyword: a crawl on each day since it was added, oldest first. */
const historyOf = async (keyword: TrackedKeyword, isFirst: boolean): Promise<HistoryEntry[]> => {
  const entries: HistoryEntry[] = [];
  const times = Array.from({ length: days }, (_, n) => keyword.next_at + n * secondsOfDay);
  await inParallel(times.entries(), width, async ([n, at]) => {
    entries.push(isFirst && n === days - gapDay ? gapOf(at) : await crawl(keyword, at));
  });
  return entries.sort((a, b) => a.at - b.at);
};

/**
 * Makes the project as if it had been made 30 days ago, and returns its id and the number of its keywords.
 * They are due now, so the planner crawls them as any others. Call it once, and only if pages come from the
 * sandbox.
 */
export const makeDemonstration = async (
  user: Pick<Account, 'id'>,
  now = calendar(),
): Promise<{ projectId: number; keywords: number }> => {
  const began = now - days * secondsOfDay;
  const project = await createProject(
    user,
    {
      name: 'Demonstration',
      domain,
      competitors,
      locations: ['United States'],
      check_frequency: 24,
      alerts: null,
      click_rates: null,
    },
    began,
  );
  const requests = searches.map(([keyword, device]) => ({
    keyword,
    device,
    engine: defaultEngine,
    engine_domain: '',
    location_name: 'United States',
    iso_code: 'US',
    language_code: 'en',
    type: 'owner' as const,
    domain: null,
    google_business: null,
    update_frequency: null,
  }));
  await addKeywords(user, project.project_id, requests, false, began);
  for (const { n, keywords } of await readPresentChunks(project.project_id)) {
    const histories = new Map<number, HistoryEntry[]>();
    for (const [m, keyword] of keywords.entries()) {
      histories.set(keyword.keyword_id, await historyOf(keyword, m === 0));
    }
    await putHistory(
      [...histories].flatMap(([keyword_id, entries]) => entries.map((entry) => ({ keyword_id, entry }))),
    );
    await changeChunk(project.project_id, n, (present) =>
      present.map((keyword) =>
        (histories.get(keyword.keyword_id) ?? []).reduce<TrackedKeyword>(
          (folded, entry) => (isGap(entry) ? observeGap(folded, entry) : observe(folded, entry)),
          keyword,
        ),
      ),
    );
  }
  return { projectId: project.project_id, keywords: requests.length };
};
