/**
 * Reads the answers of Google Ads: search volumes and ideas of keywords. 64-bit integers are strings in its
 * JSON, and what it does not know is absent.
 */
import * as v from 'valibot';
import {
  type Competition,
  keywordForm,
  type Metrics,
  monthNames,
  noMetrics,
} from '../../model/keyword-metrics.ts';
import type { IdeasPage, ProviderAnswer, Read } from '../contract.ts';
import { faultOf, jsonOf, malformed } from './fault.ts';

/** A 64-bit integer, as a string or a number. Null if it is absent, negative or no integer. */
const Integer = v.optional(
  v.pipe(
    v.nullable(v.union([v.string(), v.number()])),
    v.transform((given) => {
      const text = String(given ?? '');
      return /^\d{1,15}$/.test(text) ? Number(text) : null;
    }),
  ),
  null,
);

const Words = v.optional(
  v.pipe(
    v.nullable(v.string()),
    v.transform((text) => text ?? ''),
  ),
  null,
);

const listOf = <const Item extends v.GenericSchema>(item: Item) =>
  v.optional(
    v.pipe(
      v.nullable(v.array(item)),
      v.transform((list) => list ?? []),
    ),
    null,
  );

const known: readonly string[] = ['LOW', 'MEDIUM', 'HIGH'];

const competitionOf = (word: string): Competition =>
  known.includes(word) ? (word as Competition) : 'UNSPECIFIED';

const monthNumbers: ReadonlyMap<string, number> = new Map(monthNames.map((name, n) => [name, n + 1]));

const MetricsOfGoogle = v.optional(
  v.pipe(
    v.nullable(
      v.object({
        avgMonthlySearches: Integer,
        competition: Words,
        competitionIndex: Integer,
        lowTopOfPageBidMicros: Integer,
        highTopOfPageBidMicros: Integer,
        monthlySearchVolumes: listOf(v.object({ month: Words, year: Integer, monthlySearches: Integer })),
      }),
    ),
    v.transform((given): Metrics => {
      if (!given) return noMetrics;
      const index = given.competitionIndex;
      return {
        volume: given.avgMonthlySearches,
        competition: competitionOf(given.competition),
        competitionIndex: (index ?? 0) > 100 ? null : index,
        lowBidMicros: given.lowTopOfPageBidMicros,
        highBidMicros: given.highTopOfPageBidMicros,
        months: given.monthlySearchVolumes.flatMap(({ month, year, monthlySearches }) => {
          const number = monthNumbers.get(month) ?? 0;
          return number === 0 || year === null ? [] : [{ year, month: number, searches: monthlySearches }];
        }),
      };
    }),
  ),
  null,
);

const DeviceTotals = v.optional(
  v.pipe(
    v.nullable(v.object({ deviceSearches: listOf(v.object({ device: Words, searchCount: Integer })) })),
    v.transform((given) => given?.deviceSearches ?? []),
  ),
  null,
);

const VolumesAnswer = v.object({
  results: listOf(
    v.object({ text: v.string(), closeVariants: listOf(v.string()), keywordMetrics: MetricsOfGoogle }),
  ),
});

const Concepts = v.optional(
  v.pipe(
    v.nullable(
      v.object({
        concepts: listOf(
          v.object({
            name: Words,
            conceptGroup: v.optional(v.nullable(v.object({ name: Words, type: Words })), null),
          }),
        ),
      }),
    ),
    v.transform((given) =>
      (given?.concepts ?? []).map(({ name, conceptGroup }) => ({
        name,
        group: { name: conceptGroup?.name ?? '', type: conceptGroup?.type ?? '' },
      })),
    ),
  ),
  null,
);

const IdeasAnswer = v.object({
  results: listOf(
    v.object({
      text: v.string(),
      keywordIdeaMetrics: MetricsOfGoogle,
      keywordAnnotations: Concepts,
    }),
  ),
  aggregateMetricResults: DeviceTotals,
  nextPageToken: Words,
});

const answerFields = ['results', 'aggregateMetricResults', 'nextPageToken', 'totalSize', 'requestId'];

/** Without results, the answer is `{}`. An object with other fields only is no answer. */
const isKnown = (given: unknown): boolean => {
  const names = Object.keys(given ?? {});
  return names.length === 0 || names.some((name) => answerFields.includes(name));
};

const readAs = <const Schema extends v.GenericSchema>(
  Schema: Schema,
  answer: ProviderAnswer,
): Read<v.InferOutput<Schema>> => {
  const given = jsonOf(answer.body);
  const hasError = typeof given === 'object' && given !== null && 'error' in given;
  if (answer.status !== 200 || hasError || Array.isArray(given)) return faultOf(answer);
  const { success, output } = v.safeParse(Schema, given);
  return success && isKnown(given) ? { ok: true, value: output } : malformed;
};

/**
 * Reads the answer to `volumesRequest`: metrics by `keywordForm`. A keyword that Google merged with another
 * one has the other one's metrics.
 */
export const readVolumes = (answer: ProviderAnswer): Read<Map<string, Metrics>> => {
  const read = readAs(VolumesAnswer, answer);
  if (!read.ok) return read;
  const byForm = new Map<string, Metrics>();
  for (const { closeVariants, keywordMetrics } of read.value.results) {
    for (const variant of closeVariants) byForm.set(keywordForm(variant), keywordMetrics);
  }
  // A keyword with a row has the metrics of that row, and not those of a row that has it as a variant.
  for (const { text, keywordMetrics } of read.value.results) byForm.set(keywordForm(text), keywordMetrics);
  return { ok: true, value: byForm };
};

/** Reads the answer to `ideasRequest`. */
export const readIdeas = (answer: ProviderAnswer): Read<IdeasPage> => {
  const read = readAs(IdeasAnswer, answer);
  if (!read.ok) return read;
  const { results, aggregateMetricResults, nextPageToken } = read.value;
  return {
    ok: true,
    value: {
      ideas: results.map(({ text, keywordIdeaMetrics, keywordAnnotations }) => ({
        text,
        metrics: keywordIdeaMetrics,
        concepts: keywordAnnotations,
      })),
      devices: aggregateMetricResults.map(({ device, searchCount }) => ({ device, searches: searchCount })),
      nextPageToken,
    },
  };
};
