/** Faults of a list of keywords in the words of the form: one line for each kind of fault, with its lines. */

import { words } from '../format.ts';
import type { Fault } from '../session.ts';

const labels: Record<string, string> = {
  iso_code: 'Country code',
  language_code: 'Language code',
  location_name: 'Place',
  google_business: 'Business',
  update_frequency: 'Hours between two crawls',
};

/** The name of a field in the words of the form. */
export const labelOf = (name: string): string => {
  const text = labels[name] ?? words(name);
  return `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}`;
};

/** The message of the service without the name of its kind. */
const messageOf = (message: string): string => {
  const text = message.replace(/^Value error, /, '').replace(/^Input should be/, 'should be');
  return text.startsWith('String should match') ? 'is not in the right form' : text;
};

/** Lines that are named at most; the others are counted. */
const namedLines = 8;

const linesText = (lines: readonly number[]): string => {
  const named = lines.slice(0, namedLines).join(', ');
  const others = lines.length - namedLines;
  return `${lines.length === 1 ? 'line' : 'lines'} ${named}${others > 0 ? ` and ${others} more` : ''}`;
};

/**
 * A sentence for each kind of fault. `lineOf` gives the line of an entry of the list, which counts from 0;
 * faults of all `total` entries name no line.
 */
export const faultLines = (
  faults: readonly Fault[],
  total: number,
  lineOf: (entry: number) => number,
): string[] => {
  const found = new Map<string, Set<number>>();
  for (const { loc = [], msg = '' } of faults) {
    const [, entry, name = ''] = loc;
    const sentence = `${name === '' ? '' : `${labelOf(String(name))}: `}${messageOf(msg)}`;
    const lines = found.get(sentence) ?? new Set();
    if (typeof entry === 'number') lines.add(lineOf(entry));
    found.set(sentence, lines);
  }
  return [...found].map(([sentence, lines]) => {
    const isOfAll = lines.size === 0 || lines.size === total;
    return isOfAll ? sentence : `${sentence} (${linesText([...lines])})`;
  });
};
