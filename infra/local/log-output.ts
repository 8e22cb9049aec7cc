/** Writes the functions' logs to a file, in the place of CloudWatch, so that the terminal shows only messages for people, and errors. */
import { createWriteStream, renameSync, statSync } from 'node:fs';
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

/** Redirects standard output of this process to the log file. */
export const openLogOutput = (file: string): LogOutput => {
  const print = process.stdout.write.bind(process.stdout);
  rotate(file);
  const log = createWriteStream(file, { flags: 'a' });
  let meter: Meter | null = null;

  process.stdout.write = (chunk: string | Uint8Array) => {
    // Lines from the functions' thread arrive as bytes.
    const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    if (meter) {
      meter.logBytes += Buffer.byteLength(text);
      meter.logLines += text.split('\n').length - 1;
    }
    if (text.includes('{"level":"ERROR"')) process.stderr.write(text);
    return log.write(chunk);
  };
  return {
    say: (line) => void print(`${line}\n`),
    count: (newMeter) => {
      meter = newMeter;
    },
  };
};
