/**
 * The id of a search in the form of SerpApi: 24 hexadecimal digits that contain the task and which of its
 * results were asked for. Nothing is stored. Pure.
 */
import type { Window } from '../found.ts';

/** Which results of a task were asked for; null if the id does not say so. */
export type SearchId = { task: number; window: Omit<Window, 'engine'> | null };

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');

/** The digits of a task id, of the first result, and of the number of results. */
const widths = { task: 16, from: 4, size: 4 } as const;

export const searchIdOf = (task: number, { size, from }: Omit<Window, 'engine'>): string =>
  `${hex(task, widths.task)}${hex(from, widths.from)}${hex(size, widths.size)}`;

/** The parts of an id, or of the id of a task. Undefined for any other text. */
export const parseSearchId = (text: string): SearchId | undefined => {
  if (/^\d{1,16}$/.test(text)) {
    const task = Number(text);
    return Number.isSafeInteger(task) ? { task, window: null } : undefined;
  }
  const [, task = '', from = '', size = ''] =
    /^([\da-f]{16})([\da-f]{4})([\da-f]{4})$/.exec(text.toLowerCase()) ?? [];
  const id = Number.parseInt(task, 16);
  const window = { size: Number.parseInt(size, 16), from: Number.parseInt(from, 16) };
  // A search reads the first hundred results at most.
  const isWindow = window.size >= 1 && window.size <= 200 && window.from <= 200;
  return Number.isSafeInteger(id) && isWindow ? { task: id, window } : undefined;
};
