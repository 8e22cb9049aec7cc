/** Fills the tasks table with copies of a finished task, as if that many tasks had been crawled. */
import { performance } from 'node:perf_hooks';
import { taskId } from '../../lib/task/id.ts';
import type { Ready } from './stack-process.ts';

const batchSize = 1000;

/** Writes `count` copies of the first user's task `sample`. All copies are older than it. */
export const fillTable = async (
  { dynamodb, tasksTable }: Pick<Ready, 'dynamodb' | 'tasksTable'>,
  sample: number,
  count: number,
): Promise<{ seconds: number }> => {
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: dynamodb,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    TASKS_TABLE: tasksTable,
  });
  // The store reads the environment when it is imported.
  const { readRow } = await import('../../lib/store/tasks.ts');
  const { putRows } = await import('../../lib/store/new-tasks.ts');
  const row = await readRow(1, sample);
  if (!row) throw new Error(`The task ${sample} is not in the table`);
  const start = performance.now();
  for (let first = 0; first < count; first += batchSize) {
    await putRows(
      Array.from({ length: Math.min(batchSize, count - first) }, (_, n) => ({
        ...row,
        id: taskId(row.created_at - 1 - Math.floor((first + n) / 100), first + n),
      })),
    );
  }
  return { seconds: (performance.now() - start) / 1000 };
};
