/** The file in DATA_DIR that tells other commands about the running embedded stack. */
import { join } from 'node:path';
import * as v from 'valibot';

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
