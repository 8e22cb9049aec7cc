/**
 * Keyword data: the consumer that asks the source about the keywords of many tasks together
 * (`functions/keyword`).
 */
import type { Stack } from 'aws-cdk-lib';
import type { PageBucket } from './bucket.ts';
import { keywordBatch, megabytes, seconds } from './function-limits.ts';
import type { Queues } from './queues.ts';
import type { Secrets } from './secrets.ts';
import { ServiceFunction } from './service-function.ts';
import { adsSettings } from './setting-groups.ts';
import { settingsOf } from './stages.ts';
import type { Tables } from './tables.ts';

export const makeKeyword = (
  stack: Stack,
  { tasks, pace, metrics }: Tables,
  bucket: PageBucket,
  { keyword, postback }: Queues,
  { adsCredentials }: Secrets,
): void => {
  new ServiceFunction(stack, 'RunTasksFunction', {
    entry: 'functions/keyword/run-tasks.ts',
    timeoutSeconds: seconds.runKeywordTasks,
    memoryMegabytes: megabytes.keyword,
    settings: [...adsSettings, 'TASK_DEADLINE'],
    // Tasks that wait for the source are queued again until their deadline.
    sendsToItself: true,
  })
    .bind(tasks, 'write', 'readMany', 'putResult')
    .bind(pace, 'turn')
    .bind(metrics, 'use')
    .bind(bucket, 'writeResults')
    .bind(adsCredentials, 'read')
    .bind(keyword, 'send')
    .bind(postback, 'send')
    .consume(keyword.queue, {
      batchSize: keywordBatch.size,
      windowSeconds: keywordBatch.windowSeconds,
      maxConcurrency: settingsOf(stack).keywordConcurrency,
    });
};
