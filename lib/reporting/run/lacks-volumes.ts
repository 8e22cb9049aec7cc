/** Which keywords need their volumes looked up. */
import type { TrackedKeyword } from '../../model/tracking.ts';

/** Volumes change once a month. */
const freshSeconds = 30 * 86_400;

/** Whether a keyword has no volumes, or old ones. */
export const lacksVolumes = ({ volumes }: Pick<TrackedKeyword, 'volumes'>, now: number): boolean =>
  volumes === null || volumes.at <= now - freshSeconds;
