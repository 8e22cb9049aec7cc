/** For how long pages answer later searches (Reading 14). Pure: functions without snapshots use it, too. */
import { type EngineName, engines } from '../model/engine.ts';
import { defaultFrequencyHours } from '../model/reused-age.ts';

/** For how many seconds a result is reused (Reading 14). 0 means that every crawl is fresh. */
export const reuseSeconds = (engine: EngineName, frequency: number | null): number => {
  const hours = frequency ?? defaultFrequencyHours;
  return hours <= 0 ? 0 : Math.max(engines[engine].leastReuseHours, hours) * 3600;
};
