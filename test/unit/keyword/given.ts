/**
 * Tables in memory, queues that accept every message, scripted sources, and log lines, for unit tests of
 * keyword data.
 */
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import * as v from 'valibot';
import { vi } from 'vitest';
import {
  createFormTasks,
  createIdeasTask,
  createKeywordTasks,
  type FormIdeas,
} from '../../../lib/keyword/create.ts';
import { readIdeasTask, readKeywordTask } from '../../../lib/keyword/view.ts';
import { type Metrics, noMetrics } from '../../../lib/model/keyword-metrics.ts';
import { IdeasRequest, KeywordDataBatch } from '../../../lib/model/keyword-request.ts';
import type { Account } from '../../../lib/model/user.ts';
import { KeywordMessage } from '../../../lib/model/workflow.ts';
import type {
  Fault,
  IdeasAsked,
  IdeasPage,
  Problem,
  Read,
  VolumeSource,
  VolumesAsked,
} from '../../../lib/provider/contract.ts';
import { volumeSources } from '../../../lib/provider/sources/volumes.ts';
import { accountOf } from '../../integration/account.ts';
import { memoryTables } from '../tables.ts';
import { elapsed, startTime } from './fake-time.ts';

export const tables = memoryTables();
export const queues = mockClient(SQSClient);

// Loaded once, so that the first test does not wait for it.
await import('#sandbox-provider');

export const fault = (problem: Problem, more: Partial<Fault> = {}): Fault => ({
  ok: false,
  problem,
  word: problem,
  reason: `it is ${problem}`,
  ...more,
});

export const volume = (searches: number): Metrics => ({ ...noMetrics, volume: searches });

type Answer<Value> = (() => Read<Value>) | undefined;

/**
 * What the scripted source was asked, with the seconds since the start, and the answers that it gives next.
 */
export const script = {
  volumes: [] as (VolumesAsked & { at: number })[],
  ideas: [] as (IdeasAsked & { at: number })[],
  volumeAnswers: [] as Answer<Map<string, Metrics>>[],
  ideasAnswers: [] as Answer<IdeasPage>[],
};

/** Without an answer in the script, each keyword has the volume of its length, and there are no ideas. */
export const scripted: VolumeSource = {
  name: 'scripted',
  title: 'The scripted source',
  maxKeywords: 5,
  volumes: {
    data: 'volumes',
    request: (asked) => {
      script.volumes.push({ ...asked, at: elapsed() });
      return { method: 'GET', url: 'https://source.example/volumes', headers: {} };
    },
    read: () => {
      const answer = script.volumeAnswers.shift();
      const { keywords = [] } = script.volumes.at(-1) ?? {};
      return answer?.() ?? { ok: true, value: new Map(keywords.map((text) => [text, volume(text.length)])) };
    },
  },
  ideas: {
    data: 'ideas',
    request: (asked) => {
      script.ideas.push({ ...asked, at: elapsed() });
      return { method: 'GET', url: 'https://source.example/ideas', headers: {} };
    },
    read: () =>
      script.ideasAnswers.shift()?.() ?? { ok: true, value: { ideas: [], devices: [], nextPageToken: '' } },
  },
};

/** The lines of the log since the start of the test. */
export const lines: Record<string, unknown>[] = [];

export const linesOf = (message: string) => lines.filter((line) => line.message === message);

const settingNames = [
  'ADS_ORIGIN',
  'ADS_RATE',
  'ADS_VERSION',
  'METRICS_HOURS',
  'SANDBOX_MISFORTUNE',
  'SEARCH_SOURCE',
  'TASK_DEADLINE',
  'VOLUMES_SOURCE',
  ...['SUGGEST', 'TRENDS'].flatMap((name) =>
    ['SOURCE', 'ORIGIN', 'RATE', 'CACHE'].map((kind) => `${name}_${kind}`),
  ),
];

/** Begins a test: empty tables and queues, the time at its start, no settings but the scripted source. */
export const begin = (): void => {
  startTime();
  tables.start();
  tables.clear();
  queues.reset();
  queues.on(SendMessageBatchCommand).resolves({});
  for (const name of settingNames) delete process.env[name];
  volumeSources.scripted = scripted;
  process.env.VOLUMES_SOURCE = 'scripted';
  process.env.ADS_RATE = '0';
  for (const list of Object.values(script)) list.length = 0;
  lines.length = 0;
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    for (const line of String(text).split('\n').filter(Boolean)) lines.push(JSON.parse(line));
    return true;
  });
};

/** The messages that were sent to a queue since the last call, with their delays in seconds. */
export const takeSent = (variable = 'KEYWORD_QUEUE_URL') => {
  const sent = queues
    .commandCalls(SendMessageBatchCommand)
    .filter(({ args: [{ input }] }) => input.QueueUrl === process.env[variable])
    .flatMap(({ args: [{ input }] }) =>
      (input.Entries ?? []).map(({ MessageBody = '', DelaySeconds = 0 }) => ({
        ...JSON.parse(MessageBody),
        delay: DelaySeconds,
      })),
    );
  queues.resetHistory();
  return sent;
};

export const userOf = (id: number, more: Partial<Account> = {}): Account => ({ ...accountOf(id), ...more });

const messagesIn = (sent: readonly unknown[]) => sent.map((each) => v.parse(KeywordMessage, each));

/** Accepts keywords as tasks of a user. Returns their ids and their messages. */
export const givenKeywords = async (userId: number, requests: readonly object[]) => {
  const tasks = await createKeywordTasks(
    userOf(userId),
    v.parse(KeywordDataBatch, requests),
    'https://here.example',
  );
  return { ids: tasks.map(({ id }) => id), messages: messagesIn(takeSent()) };
};

export const givenIdeas = async (request: object, userId = 1) => {
  const task = await createIdeasTask(userOf(userId), v.parse(IdeasRequest, request), 'https://here.example');
  return { id: task.id, messages: messagesIn(takeSent()) };
};

/** Accepts tasks in the form of another service. */
export const givenForm = async (asked: readonly Partial<FormIdeas>[]) => {
  const forms = asked.map((each) => ({ location_code: 2276, language_code: 'de', ...each }) as FormIdeas);
  const rows = await createFormTasks(userOf(1), forms, 'https://here.example');
  return { rows, messages: messagesIn(takeSent()) };
};

/** Messages as a batch of the queue, each received `receives` times. */
export const received = (messages: readonly KeywordMessage[], receives = 1) =>
  messages.map((message, n) => ({ message, receives, messageId: String(n) }));

export const taskOf = (id: number, userId = 1) => readKeywordTask(userOf(userId), id, '');
export const ideasOf = (id: number, userId = 1) => readIdeasTask(userOf(userId), id);

/** The volume of each task's keyword, or its status and error. */
export const outcomes = (ids: readonly number[], userId = 1) =>
  Promise.all(
    ids.map(async (id) => {
      const { status, result, error_message } = await taskOf(id, userId);
      return (
        result[0]?.keyword_idea_metrics.avg_monthly_searches ?? `${status} ${error_message ?? ''}`.trim()
      );
    }),
  );
