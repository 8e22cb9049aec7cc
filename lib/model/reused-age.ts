/** The age of pages that an earlier search has fetched (Reading 14), for the `warnings` of a task. */

type Reused = { reused: boolean; crawled_at: number; created_at: number; frequency: number | null };

/** The hours after which a search without `frequency` asks for new pages. */
export const defaultFrequencyHours = 24;

const units = [
  { seconds: 86_400, name: 'days' },
  { seconds: 3600, name: 'hours' },
  { seconds: 60, name: 'minutes' },
] as const;

/** At least two of the largest unit that fits, so that 36 hours are not a day. */
export const inWords = (seconds: number): string => {
  const unit = units.find((each) => seconds >= 2 * each.seconds);
  if (unit) return `${Math.floor(seconds / unit.seconds)} ${unit.name}`;
  return seconds === 1 ? '1 second' : `${seconds} seconds`;
};

/** The sentence about reused pages; none if the pages were fetched for the task. */
export const reusedSentence = ({ reused, crawled_at, created_at }: Reused): string[] => {
  if (!reused) return [];
  const age = inWords(Math.max(0, created_at - crawled_at));
  return [
    `The pages were fetched for another search, ${age} before this one. With frequency 0 they are new.`,
  ];
};

/**
 * The same sentence for pages that are older than `frequency` says: those of some engines are reused for
 * seven days at least, whatever `frequency` is.
 */
export const staleSentence = (task: Reused): string[] =>
  task.created_at - task.crawled_at > (task.frequency ?? defaultFrequencyHours) * 3600
    ? reusedSentence(task)
    : [];
