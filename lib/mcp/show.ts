/** Searches and stored pages as a tool's answer. */
import type { RawResult, ResultItem } from '../model/result.ts';
import { reusedSentence } from '../model/reused-age.ts';
import type { Ranking, TrackingResult } from '../model/tracking-result.ts';
import { type Answer, shortened } from './answer.ts';
import { type Origin, originFacts, originFields, originOfTask } from './origin.ts';
import { failureOf, type SearchTask, titleLength, unfinished } from './progress.ts';

/** A snippet of an engine is shorter. Generated overviews, which answer a question, are longer. */
const snippetLength = 300;
const overviewLength = 1200;

const isTracking = (task: SearchTask): boolean => Boolean(task.domain);

const titleOf = ({ type, position, title }: ResultItem): string =>
  `${position}. ${type}: ${shortened(title, titleLength)}`;

const snippetOf = ({ type, snippet }: ResultItem): string =>
  shortened(snippet, type === 'ai_overview' || type === 'featured_snippet' ? overviewLength : snippetLength);

const sourcesOf = ({ sources = [] }: ResultItem): string[] => sources.map(({ url }) => url);

const detailsOf = (item: ResultItem): string[] => {
  const sources = sourcesOf(item);
  return [
    item.url,
    snippetOf(item),
    ...[item.date, item.rating, item.reviews, item.price, item.source, item.phone]
      .filter(Boolean)
      .map(String),
    ...(item.items?.length ? [item.items.join('; ')] : []),
    ...(sources.length > 0 ? [`sources: ${sources.join(' ')}`] : []),
    ...(item.facts ?? []).map(({ label, value }) => `${label}: ${value}`),
  ].filter(Boolean);
};

const lineOf = (item: ResultItem): string => [titleOf(item), ...detailsOf(item)].join(' | ');

/** An item as an object: what its line has. Empty parts are left out. */
const fieldsOf = (item: ResultItem, side?: 'sidebar'): object => {
  const { type, position, title, url, date, rating, reviews, price, source, phone, items, facts } = item;
  const snippet = snippetOf(item);
  const details = { url, snippet, date, rating, reviews, price, source, phone };
  const parts = { items, sources: sourcesOf(item), facts };
  return {
    type,
    position: Number(position),
    title: shortened(title, titleLength),
    ...(side && { side }),
    ...Object.fromEntries(Object.entries(details).filter(([, text]) => text)),
    ...Object.fromEntries(Object.entries(parts).filter(([, part]) => part?.length)),
  };
};

const isRaw = (result: SearchTask['result']): result is RawResult =>
  typeof result === 'object' && result !== null && Array.isArray((result as RawResult).left);

const searchedIn = ({ keyword, location_name, iso_code, device }: SearchTask): string =>
  `${JSON.stringify(shortened(keyword, titleLength))} in ${location_name || iso_code} (${iso_code}), ${device}`;

/**
 * The warnings of a task. That its pages are reused is said by `originFacts`, with an argument of the
 * tools.
 */
const warningsOf = (task: SearchTask): string[] => {
  const reused = reusedSentence(task);
  return task.warnings.filter((warning) => !reused.includes(warning));
};

const remarks = (task: SearchTask): string[] => [
  ...(task.complete === false
    ? ['The result is not complete: pages are missing, or they are not what was asked.']
    : []),
  ...warningsOf(task),
];

/** How an agent gets new results. */
const freshAdvice = 'With fresh: true, the engine is asked again.';

const taskFields = (task: SearchTask, origin: Origin): Record<string, unknown> => ({
  task_id: task.id,
  status: task.status,
  ...originFields(origin),
  complete: task.complete,
  warnings: warningsOf(task),
});

const notFound = '1000';

/** The crawl ended before it was found. */
const notKnown = '0';

const rankOf = (kind: string, { position }: Ranking): string => {
  if (position === notKnown) return `${kind}: unknown, because the crawl ended before`;
  return position === notFound
    ? `${kind}: not among the results that were read`
    : `${kind}: rank ${position}`;
};

/** `rank` is null where the domain was not found, and left out where the crawl ended before. */
const rankFields = (kind: string, { position, title, url, snippet }: Ranking): object => {
  if (position === notKnown) return { kind };
  if (position === notFound) return { kind, rank: null };
  return {
    kind,
    rank: Number(position),
    title: shortened(title, titleLength),
    url,
    snippet: shortened(snippet, snippetLength),
  };
};

/** The rank of the domain of a task, and the first ten domains. */
const showRank = (task: SearchTask, origin: Origin): Answer => {
  const entry = Object.values(task.result as TrackingResult).find(({ type }) => type === 'owner');
  const { organic, local_pack, ai_overview } = entry?.results ?? {};
  const rankings = [
    ['organic results', organic],
    ['local results', local_pack],
    ['citations of the AI overview', ai_overview],
  ] as const;
  const known = rankings.flatMap(([kind, ranking]) => (ranking ? [{ kind, ranking }] : []));
  return {
    facts: [
      `Rank of ${task.domain} for ${searchedIn(task)}. Task ${task.id}.`,
      ...known.map(({ kind, ranking }) => rankOf(kind, ranking)),
      ...originFacts(origin, freshAdvice),
      ...remarks(task),
    ],
    quoted: [
      ...known
        .filter(({ ranking }) => ranking.position !== notFound && ranking.position !== notKnown)
        .map(({ kind, ranking: { title, url, snippet } }) =>
          [`${kind}: ${shortened(title, titleLength)}`, url, shortened(snippet, snippetLength)]
            .filter(Boolean)
            .join(' | '),
        ),
      ...(task.top_10 ?? []).map((domain, n) => `domain ${n + 1} of the results: ${domain}`),
    ],
    fields: { ...taskFields(task, origin), domain: task.domain },
    lists: {
      ranks: known.map(({ kind, ranking }) => rankFields(kind, ranking)),
      top_10: task.top_10 ?? [],
    },
  };
};

/**
 * The result of a search task, or how to get it. `isSandbox`: its pages come from the sandbox.
 * @throws TaskFailed if the task has ended without a result.
 */
export const showSearch = (task: SearchTask, isSandbox: boolean): Answer => {
  const failure = failureOf(task);
  if (failure) throw failure;
  const origin = originOfTask(task, isSandbox);
  if (task.status !== 'success') return unfinished(task, origin);
  if (isTracking(task)) return showRank(task, origin);
  const { left, right } = isRaw(task.result) ? task.result : { left: [], right: [] };
  return {
    facts: [
      `Results for ${searchedIn(task)}. Task ${task.id}: read_page gives the text of its pages.`,
      ...(left.length + right.length === 0 ? ['The engine shows no results.'] : []),
      ...originFacts(origin, freshAdvice),
      ...remarks(task),
    ],
    quoted: [...left.map(lineOf), ...right.map((item) => `sidebar: ${lineOf(item)}`)],
    fields: taskFields(task, origin),
    lists: {
      results: [...left.map((item) => fieldsOf(item)), ...right.map((item) => fieldsOf(item, 'sidebar'))],
    },
  };
};

/** The lines of a stored page. */
export const showPage = (
  id: number,
  page: number,
  { lines, isWhole }: { lines: readonly string[]; isWhole: boolean },
  origin: Origin,
): Answer => ({
  facts: [
    `Page ${page} of task ${id}: ${lines.length} lines of text.`,
    ...originFacts(origin),
    ...(isWhole ? [] : ['The page is too large to be read to its end.']),
  ],
  quoted: lines,
  fields: { task_id: id, page, ...originFields(origin), whole: isWhole },
  lists: { lines },
});
