/** The file in DATA_DIR that tells other commands about the running embedded stack. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { unusable } from './unusable.ts';

/** Where a running stack is, and the names of its resources. */
export const Running = v.object({
  awsEndpoint: v.string(),
  url: v.string(),
  endpoints: v.object({ dynamodb: v.string(), sqs: v.string() }),
  environment: v.record(v.string(), v.string()),
});
export type Running = v.InferOutput<typeof Running>;

/** The path of the file. A stack that was killed leaves the file behind. */
export const runningFile = (dataDir: string): string => join(dataDir, 'running.json');

/** Reads the file. Null if there is none. Throws an error that names the file if it is damaged. */
export const readRunning = (dataDir: string): Running | null => {
  const file = runningFile(dataDir);
  if (!existsSync(file)) return null;
  try {
    return v.parse(Running, JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw unusable(file, error);
  }
};
