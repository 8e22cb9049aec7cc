/** Which keywords need their volumes looked up. */
import type { TrackedKeyword } from '../../model/tracking.ts';

/** Volumes change once a month. */
const freshSeconds = 30 * 86_400;

/** Whether a keyword has no volumes, or old ones. What the source does not know is not asked again soon. */
export const lacksVolumes = (
  { volumes, volumes_unknown_at }: Pick<TrackedKeyword, 'volumes' | 'volumes_unknown_at'>,
  now: number,
): boolean => (volumes?.at ?? volumes_unknown_at ?? -Infinity) <= now - freshSeconds;
