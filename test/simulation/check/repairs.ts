/** Rules about the functions that repair what faults have broken: without faults they have nothing to do. */
import type { WireItem } from '../../../infra/local/stores/wire-values.ts';
import type { AwsCall } from '../code/sdk.ts';
import type { Ledger } from './ledger.ts';

const sweeper = 'functions/schedule/sweep-tasks.ts';

/** Finishes the work on projects that requests have begun. */
const finisher = 'functions/schedule/finish-projects.ts';

/** Looks at the crawls of tracked searches, and makes those again that are lost. */
const recorder = 'functions/schedule/record-results.ts';

/**
 * Lost work is taken up, work on a project is finished, and a lost crawl is made again, so long after the
 * fault (seconds).
 */
const repairedSeconds = 30 * 60;

/**
 * What the service logs about an answer of Google Ads that ends its work. The message comes back four times,
 * each time after six minutes, and the sweeper queues another one meanwhile.
 */
const brokenWork = /Keyword tasks failed/;
const brokenSeconds = 45 * 60;

const read = /Get|Query|Scan/;

type Options = {
  ledger: Ledger;
  /** Whether nothing has struck since then (seconds), and so shortly before that it could still show. */
  isQuietSince: (seconds: number) => boolean;
  /** The row of a task or batch, as it was written last. */
  rowOf: (id: number) => WireItem | undefined;
};

export const newRepairs = ({ ledger, isQuietSince, rowOf }: Options) => {
  let brokenAt = Number.NEGATIVE_INFINITY;
  const checkSweeper = ({ service, operation, input }: AwsCall, now: number): void => {
    if (service !== 'SQS' || !operation.startsWith('SendMessage')) return;
    if (!isQuietSince(now - repairedSeconds) || now - brokenAt < brokenSeconds) return;
    for (const { MessageBody = '' } of (input.Entries ?? [input]) as { MessageBody?: string }[]) {
      const { id } = JSON.parse(MessageBody) as { id: number };
      // The sweeper has the upstream provider asked for what it has ordered.
      if (rowOf(id)?.status?.S === 'awaiting_webhook') continue;
      ledger.violate('nothing is lost without faults', `the sweeper queues ${MessageBody}`);
    }
  };
  const checkFinisher = ({ service, operation, input }: AwsCall, now: number): void => {
    if (read.test(operation) || !isQuietSince(now - repairedSeconds)) return;
    const { Key, Item } = input;
    ledger.violate(
      'requests finish their work without faults',
      `${service} ${operation} ${JSON.stringify(Key ?? Item ?? '')}`,
    );
  };
  const checkRecorder = ({ service, input }: AwsCall, now: number): void => {
    if (service !== 'SQS' || !isQuietSince(now - repairedSeconds)) return;
    ledger.violate('no crawl is lost without faults', `the recorder queues ${JSON.stringify(input.Entries)}`);
  };
  return {
    /** `now`: seconds. */
    logged: (line: string, now: number): void => {
      if (brokenWork.test(line)) brokenAt = now;
    },
    /** A function, which is named by its source file, calls a service. `now`: seconds. */
    called: (entry: string, call: AwsCall, now: number): void => {
      if (entry === sweeper) checkSweeper(call, now);
      if (entry === recorder) checkRecorder(call, now);
      if (entry === finisher) checkFinisher(call, now);
    },
  };
};
