/** What happened in a world: a hash of all lines, and the lines that a timeline shows. */
import { createHash } from 'node:crypto';

export type History = {
  /** Adds a line. Lines that are `shown` are kept for the timeline. */
  add: (actor: string, text: string, isShown?: boolean) => void;
  hash: () => string;
  shown: () => readonly string[];
  lines: () => number;
};

/** `17:03:05.120`, with the day before it: `2 17:03:05.120` is on the third day. */
export const timeText = (milliseconds: number, start: number): string => {
  const day = Math.floor((milliseconds - start) / 86_400_000);
  return `${day} ${new Date(milliseconds).toISOString().slice(11, 23)}`;
};

export const newHistory = (now: () => number, trace?: (line: string) => void): History => {
  const start = now();
  const hash = createHash('sha256');
  const shown: string[] = [];
  let lines = 0;
  let pending = '';
  const flush = () => {
    hash.update(pending);
    pending = '';
  };
  return {
    add: (actor, text, isShown = false) => {
      lines += 1;
      pending += `${now()} ${actor} ${text}\n`;
      if (pending.length > 32_768) flush();
      if (!isShown && !trace) return;
      const line = `${timeText(now(), start)}  ${actor.padEnd(14)} ${text}`;
      if (isShown) shown.push(line);
      trace?.(line);
    },
    hash: () => {
      flush();
      return hash.copy().digest('hex').slice(0, 16);
    },
    shown: () => shown,
    lines: () => lines,
  };
};

/**
 * The text without those frames of stacks that name files of Node or of the simulation, and without the
 * places of others in the script, which any change of the code moves.
 */
export const withoutFrames = (line: string): string =>
  line.replace(/\\n +at [^\\"]*\((?:node:|file:)[^\\"]*/g, '').replace(/\bservice:\d+:\d+/g, 'service');
