/**
 * When tracked searches are crawled, and when alerts are sent. The times are spread evenly over their period,
 * not all at midnight.
 */
import { createHash } from 'node:crypto';
import { secondsOfDay } from '../model/day.ts';
import { calendar } from '../runtime/calendar.ts';

const hourSeconds = 3600;

/**
 * A fraction from 0 to 1 that belongs to the hash. The first digits, because the last one selects the shard
 * of the index.
 */
const fractionOf = (searchHash: string): number => Number.parseInt(searchHash.slice(0, 8), 16) / 2 ** 32;

/**
 * When a new keyword is crawled first: within the first hour, so that people see a position soon. Unix
 * seconds.
 */
export const firstDueTime = (searchHash: string, now = calendar()): number =>
  now + Math.floor(fractionOf(searchHash) * hourSeconds);

/**
 * No crawl of a day is due in the last minutes of the day (UTC). It could end on the next day, which would
 * then have two positions, and its own day none.
 */
const lastSeconds = 15 * 60;

/** The seconds from the begin of the period at which a search is crawled. */
const phaseOf = (searchHash: string, period: number): number => {
  const phase = fractionOf(searchHash) * period;
  const shift = period < secondsOfDay ? 0 : (phase % secondsOfDay) * (lastSeconds / secondsOfDay);
  return Math.floor(phase - shift);
};

/**
 * When a search is crawled next after a crawl at `now`, if it is crawled every `hours` hours. Each search has
 * one time of the period. The next crawl is at that time, and at least half a period later, so that a late
 * crawl replaces the one that was missed and no other.
 */
export const nextDueTime = (searchHash: string, hours: number, now = calendar()): number => {
  const period = hours * hourSeconds;
  const phase = phaseOf(searchHash, period);
  const earliest = now + Math.ceil(period / 2);
  return Math.ceil((earliest - phase) / period) * period + phase;
};

/** The time of the day of a project's alert: they are spread over the day. */
const timeOfDay = (projectId: number): number =>
  createHash('sha256').update(String(projectId)).digest().readUInt32BE() % secondsOfDay;

/** When the next alert of a project may be sent: once a day. Unix seconds. */
export const nextAlertTime = (projectId: number, now = calendar()): number => {
  const time = timeOfDay(projectId);
  return Math.floor((now - time) / secondsOfDay + 1) * secondsOfDay + time;
};
