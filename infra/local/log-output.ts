/**
 * Writes the functions' logs to a file, in the place of CloudWatch, so that the terminal shows only messages
 * for people, and errors.
 */
import { openSync, renameSync, statSync, writeSync } from 'node:fs';
import type { Meter } from '../cost/meter.ts';

export type LogOutput = {
  /** Prints a line on the terminal. */
  say: (line: string) => void;
  /** Starts to count the logged bytes and lines, which CloudWatch would bill. */
  count: (meter: Meter) => void;
};

const logLimitBytes = 50 * 1024 * 1024;

/** Renames a large log of earlier runs, so that a new log starts. Keeps one old log. */
const rotate = (file: string) => {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > logLimitBytes) renameSync(file, `${file}.1`);
};

/**
 * Redirects standard output of this process to the log file. Drops the lines for which the disk has no room.
 */
export const openLogOutput = (file: string): LogOutput => {
  const print = process.stdout.write.bind(process.stdout);
  // The service must continue without a terminal: `npm start | head` has ended, or the disk with the file of
  // `npm start > file` is full. What it prints is lost then.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  rotate(file);
  const log = openSync(file, 'a');
  let meter: Meter | null = null;

  process.stdout.write = (chunk: string | Uint8Array) => {
    // Lines from the functions' thread arrive as bytes.
    const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    if (meter) {
      meter.logBytes += Buffer.byteLength(text);
      meter.logLines += text.split('\n').length - 1;
    }
    if (text.includes('{"level":"ERROR"')) process.stderr.write(text);
    try {
      writeSync(log, text);
    } catch {
      // The service must continue without a log. The stores report that the disk is full.
    }
    return true;
  };
  return {
    say: (line) => void print(`${line}\n`),
    count: (newMeter) => {
      meter = newMeter;
    },
  };
};
