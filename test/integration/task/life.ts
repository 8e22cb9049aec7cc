/**
 * The life of one task on the real stores. The test receives every message itself: sent messages wait in
 * `messages`, written states are kept in `history`, and a process can be made to die at a write.
 */
import {
  ExecutionAlreadyExists,
  SFNClient,
  StartExecutionCommand,
  StartSyncExecutionCommand,
} from '@aws-sdk/client-sfn';
import { SendMessageBatchCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import type { SQSRecord } from 'aws-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import * as v from 'valibot';
import { vi } from 'vitest';
import type { Plan } from '../../../lib/crawl/plan-pages.ts';
import { GoogleCrawlRequest } from '../../../lib/model/crawl-request.ts';
import type { Account } from '../../../lib/model/user.ts';
import { DeliveryKey, type TaskKey } from '../../../lib/model/workflow.ts';
import { context } from '../../api-call.ts';
import { startReceiver } from '../postback/receiver.ts';
import { startStores } from './stores.ts';

/** `wait`: the postback machine waits before the next attempt. */
export type Message = { kind: 'crawl' | 'postback' | 'wait'; body: string; receives: number };

/** A write to the tasks table, as passed to the SDK. */
type Write = { status: unknown; delivery_state: unknown };

/** Makes the call when its turn comes, and returns its result. */
export type Gate = <T>(label: string, call: () => Promise<T>) => Promise<T>;

/** The search of a task. `kind` is the outcome of its crawl. */
export type Search = { kind: 'good' | 'empty' | 'cut'; depth: number; postback: boolean; reuse: boolean };

export type Life = Awaited<ReturnType<typeof startLife>>;

export const startLife = async () => {
  // An attempt that takes longer than `promptMs` costs its user a place, and later deliveries go to the
  // patient queue. On a busy machine any attempt may take that long, so no time passes here.
  vi.useFakeTimers({ toFake: ['performance'] });
  const stores = await startStores();
  const receiver = await startReceiver();
  /** Seconds that have passed for the present task, beside those of the clock. */
  let waited = 0;
  const machines = mockClient(SFNClient);
  const { dynamo } = await import('../../../lib/runtime/aws.ts');
  const { s3 } = await import('../../../lib/runtime/s3.ts');
  const { clock } = await import('../../../lib/runtime/clock.ts');
  const { fetchPage } = await import('../../../lib/crawl/fetch-page.ts');
  const { parseTask } = await import('../../../lib/crawl/parse-task.ts');
  const { crawlReceives } = await import('../../../lib/task/timing.ts');
  const { planPages } = await import('../../../lib/crawl/plan-pages.ts');
  const { deliverAgain } = await import('../../../lib/postback/deliver-again.ts');
  const { parkDelivery } = await import('../../../lib/postback/park-delivery.ts');
  const { attempts } = await import('../../../lib/postback/policy.ts');
  const { readResult } = await import('../../../lib/store/results.ts');
  const { readRow } = await import('../../../lib/store/tasks.ts');
  const { putAccount } = await import('../../../lib/store/users.ts');
  const { createV2Tasks } = await import('../../../lib/crawl/create.ts');
  const { queueDelivery } = await import('../../../lib/task/queue.ts');
  const { sweepTasks } = await import('../../../lib/task/sweep.ts');
  const { handler: startCrawl } = await import('../../../functions/crawl/start-crawl.ts');
  const { handler: deliver } = await import('../../../functions/postback/deliver.ts');

  const messages: Message[] = [];
  /** The states of the tasks by id, in the order in which they were written. */
  const history = new Map<number, string[]>();
  /** The numbers of the runs that claimed the tasks, by id, in the order of their claims. */
  const claims = new Map<number, unknown[]>();
  const names = new Set<string>();
  /** The write at which the process dies. */
  let deadly: ((write: Write) => boolean) | null = null;
  /** Decides when a call to a store is made. Without a gate, calls are made at once. */
  let gate: Gate | null = null;
  let users = 1;

  const send = (url: string | undefined, body: string | undefined) => {
    if (url === process.env.PARKED_QUEUE_URL) return;
    const kind = url === process.env.CRAWL_QUEUE_URL ? 'crawl' : 'postback';
    messages.push({ kind, body: body ?? '', receives: 0 });
  };
  stores.queue.on(SendMessageCommand).callsFake(({ QueueUrl, MessageBody }) => {
    send(QueueUrl, MessageBody);
    return {};
  });
  stores.queue.on(SendMessageBatchCommand).callsFake(({ QueueUrl, Entries }) => {
    for (const { MessageBody } of Entries) send(QueueUrl, MessageBody);
    return { Successful: [], Failed: [] };
  });
  machines.on(StartExecutionCommand).callsFake(({ name, input }) => {
    if (names.has(name)) throw new ExecutionAlreadyExists({ message: name, $metadata: {} });
    if (name) names.add(name);
    messages.push({ kind: 'wait', body: input, receives: 0 });
    return {};
  });

  dynamo.middlewareStack.add(
    (next) => async (args) => {
      const { input } = args;
      if (!('UpdateExpression' in input) || input.TableName !== process.env.TASKS_TABLE) return next(args);
      const values: Record<string, unknown> = input.ExpressionAttributeValues ?? {};
      const states = Object.values(values).filter((value) => typeof value === 'string');
      const write: Write = {
        status: values[':status'],
        delivery_state: states.find((value) => value === 'delivered'),
      };
      if (deadly?.(write)) {
        deadly = null;
        throw new Error('The process dies here');
      }
      const answer = await next(args);
      const id = Number(input.Key?.id);
      if (write.status !== undefined) history.set(id, [...(history.get(id) ?? []), String(write.status)]);
      if (':attempt' in values && write.status !== undefined)
        claims.set(id, [...(claims.get(id) ?? []), values[':attempt']]);
      return answer;
    },
    { step: 'initialize', name: 'observing' },
  );
  const gated = <T>(name: string | undefined, call: () => Promise<T>): Promise<T> =>
    gate ? gate(name ?? '', call) : call();
  const gating = { step: 'initialize', name: 'gating' } as const;
  dynamo.middlewareStack.add(
    (next, { commandName }) =>
      (args) =>
        gated(commandName, () => next(args)),
    gating,
  );
  s3.middlewareStack.add(
    (next, { commandName }) =>
      (args) =>
        gated(commandName, () => next(args)),
    gating,
  );

  const accountOf = async (): Promise<Account> => {
    const account: Account = {
      id: ++users,
      name: '',
      email: '',
      ttl: 0,
      enabled: true,
      key_hash: String(users),
      key_until: 0,
      other_key_until: 0,
      permissions: [],
      rate_limit: 0,
      webhook_secrets: [`whsec_${Buffer.alloc(24, 1).toString('base64')}`],
      former_secret_until: 0,
      signing_key: Buffer.alloc(32, 7).toString('base64'),
      created_at: 0,
      revision: 1,
    };
    await putAccount(account);
    return account;
  };

  const record = (body: string, receives: number): { Records: SQSRecord[] } => ({
    Records: [
      {
        messageId: 'm',
        receiptHandle: 'r',
        body,
        attributes: {
          ApproximateReceiveCount: String(receives),
          SentTimestamp: '0',
          SenderId: '',
          ApproximateFirstReceiveTimestamp: '0',
        },
        messageAttributes: {},
        md5OfBody: '',
        eventSource: 'aws:sqs',
        eventSourceARN: '',
        awsRegion: '',
      },
    ],
  });

  const create = async (account: Account, search: Search, keyword: string) => {
    const request = v.parse(GoogleCrawlRequest, {
      keyword: search.kind === 'good' ? keyword : `${search.kind}: ${keyword}`,
      location_name: 'Canada',
      iso_code: 'CA',
      depth: search.depth,
      frequency: search.reuse ? 24 : 0,
      postback_url: search.postback ? receiver.url : null,
    });
    const [task] = await createV2Tasks(account, [request], 'https://here.example');
    if (!task) throw new Error('Nothing was accepted');
    return task;
  };

  /** Everything that a run fetches: the first page, and if it leads further, the others. */
  const fetchPages = async ({ batch, rest }: Awaited<ReturnType<typeof planPages>>) => {
    const first = await Promise.all(batch.map((page) => fetchPage(page)));
    return first[0]?.has_next
      ? [...first, ...(await Promise.all((rest.batch ?? []).map((page) => fetchPage(page))))]
      : first;
  };

  /** What the machine does: a page that ends the task is not parsed. */
  const runMachine = async (plan: Awaited<ReturnType<typeof planPages>>) => {
    const fetched = await fetchPages(plan);
    return fetched[0]?.ended ?? (await parseTask(plan, fetched));
  };

  return {
    messages,
    history,
    claims,
    receiver,
    planPages,
    fetchPages,
    parseTask,
    queueDelivery,
    sweepTasks: async (now: number): Promise<void> => {
      await sweepTasks(now);
      // A later wait ends after this time.
      waited = Math.max(waited, now - clock());
    },
    clock,
    /**
     * Accepts a task; its message is in `messages`. With `reuse`, another task of the same search was crawled
     * before.
     */
    accept: async (search: Search): Promise<TaskKey & { created_at: number }> => {
      waited = 0;
      const account = await accountOf();
      const keyword = `walks ${account.id}`;
      if (search.reuse) {
        const before = await create(account, { ...search, postback: false }, keyword);
        await runMachine(await planPages(before));
      }
      messages.length = 0;
      receiver.received.length = 0;
      const { user_id, id, created_at } = await create(account, search, keyword);
      // Two users may have tasks with the same id.
      history.set(id, ['awaiting']);
      claims.set(id, []);
      return { user_id, id, created_at };
    },
    readRow: async (key: TaskKey) => {
      const row = await readRow(key.user_id, key.id, 0);
      if (!row) throw new Error('The row is gone');
      return row;
    },
    readResult,
    /** Has the consumer handle the message, and the machine run. */
    handleCrawl: async (message: Message): Promise<void> => {
      machines.on(StartSyncExecutionCommand).callsFake(async ({ input }) => {
        const plan: Plan = JSON.parse(input);
        return { status: 'SUCCEEDED', output: JSON.stringify(await runMachine(plan)) };
      });
      await startCrawl(record(message.body, 1), context);
    },
    /** Does the work with every call to a store passing through the gate. */
    through: async (turns: Gate, work: () => Promise<unknown>): Promise<void> => {
      gate = turns;
      try {
        await work();
      } finally {
        gate = null;
      }
    },
    /** Has the consumer handle the message at its last receive, while the machine is broken. */
    breakRun: async (message: Message, now = clock()): Promise<void> => {
      machines.on(StartSyncExecutionCommand).resolves({ status: 'FAILED', error: 'Broken', cause: 'a test' });
      const time = vi.spyOn(Date, 'now').mockReturnValue(now * 1000);
      await startCrawl(record(message.body, crawlReceives), context);
      time.mockRestore();
    },
    /** Handles a message about a delivery, as its queue or its machine would. */
    handleDelivery: async (message: Message): Promise<void> => {
      if (message.kind === 'postback') {
        await deliver(record(message.body, 1), context);
        return;
      }
      const key = v.parse(DeliveryKey, JSON.parse(message.body));
      if (key.attempt > attempts) {
        await parkDelivery(key);
        return;
      }
      // Each call of the state comes after its wait, with the key with which its run began.
      waited += 100;
      const { outcome, attempt } = await deliverAgain(key, clock() + waited);
      if (outcome !== 'failed') return;
      const next = attempt < attempts ? key : { ...key, attempt: attempts + 1 };
      messages.push({ kind: 'wait', body: JSON.stringify(next), receives: 0 });
    },
    /**
     * Makes the process die at the first write of `work` for which `isDeadly` is true; returns whether it
     * died.
     */
    dyingAt: async (isDeadly: (write: Write) => boolean, work: () => Promise<unknown>): Promise<boolean> => {
      deadly = isDeadly;
      await work().catch((error: Error) => {
        if (error.message !== 'The process dies here') throw error;
      });
      const died = deadly === null;
      deadly = null;
      return died;
    },
    stop: async () => {
      vi.useRealTimers();
      machines.restore();
      await Promise.all([stores.stop(), receiver.stop()]);
    },
  };
};
