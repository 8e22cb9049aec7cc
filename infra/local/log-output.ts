/** Keeps the screen for people: what the functions log goes to a file, as it would to CloudWatch, and only errors show here too. */
import { createWriteStream, renameSync, statSync } from 'node:fs';
import type { Meter } from '../cost/meter.ts';

export type LogOutput = {
  say: (line: string) => void;
  /** Counts what is logged, which CloudWatch would bill. */
  count: (meter: Meter) => void;
};

const logLimitBytes = 50 * 1024 * 1024;

/** A log of the past that has grown large is kept once, beside the new one. */
const turnOver = (file: string) => {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > logLimitBytes) renameSync(file, `${file}.1`);
};

/** Takes standard output over. */
export const openLogOutput = (file: string): LogOutput => {
  const show = process.stdout.write.bind(process.stdout);
  turnOver(file);
  const log = createWriteStream(file, { flags: 'a' });
  let meter: Meter | null = null;

  process.stdout.write = (chunk: string | Uint8Array) => {
    // Lines of the functions' thread come as bytes.
    const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    if (meter) {
      meter.logBytes += Buffer.byteLength(text);
      meter.logLines += text.split('\n').length - 1;
    }
    if (text.includes('{"level":"error"')) process.stderr.write(text);
    return log.write(chunk);
  };
  return {
    say: (line) => void show(`${line}\n`),
    count: (counted) => {
      meter = counted;
    },
  };
};
