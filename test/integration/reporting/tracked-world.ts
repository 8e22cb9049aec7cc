/**
 * Projects of tracked keywords on the real stores. The test runs the planner, the crawls and the recorder
 * itself, at the times that it chooses, and can make the process die at a write.
 */
import { ReceiveMessageCommand, SendMessageBatchCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { vi } from 'vitest';
import type { ResultItem } from '../../../lib/model/result.ts';
import type { AlertRule, Project, TrackedKeyword, TrackedSearch } from '../../../lib/model/tracking.ts';
import type { Account } from '../../../lib/model/user.ts';
import type { DeliveryKey, TaskKey } from '../../../lib/model/workflow.ts';
import { startStores } from '../task/stores.ts';

export type World = Awaited<ReturnType<typeof startWorld>>;

/** A web result of a host. */
const organicOf = (domain: string, n: number): ResultItem => ({
  type: 'organic',
  position: String(n + 1),
  title: `Title of ${domain}`,
  url: `https://${domain}/page`,
  breadcrumb: '',
  snippet: `Text of ${domain}`,
  absolute_position: n + 1,
  url_resolution: 'direct',
  domain,
});

/**
 * How a crawl ends: with the hosts of its web results, in their order, or without a result. `isLost`: the
 * stored result cannot be read.
 */
export type End =
  | { hosts: string[]; complete?: boolean; crawled_at: number; isLost?: boolean }
  | { error: string };

const death = 'The process dies here';

export const startWorld = async () => {
  const stores = await startStores();
  const { dynamo } = await import('../../../lib/runtime/aws.ts');
  const { fetchPage } = await import('../../../lib/crawl/fetch-page.ts');
  const { parseTask } = await import('../../../lib/crawl/parse-task.ts');
  const { planPages } = await import('../../../lib/crawl/plan-pages.ts');
  const { noRank } = await import('../../../lib/reporting/observe.ts');
  const { trackedSearchHash } = await import('../../../lib/reporting/search-hash.ts');
  const { planSearches } = await import('../../../lib/reporting/run/plan-searches.ts');
  const { recordResults } = await import('../../../lib/reporting/run/record-results.ts');
  const { changeChunk, readChunk } = await import('../../../lib/store/chunks.ts');
  const { listObservations } = await import('../../../lib/store/observations.ts');
  const { dropCheck } = await import('../../../lib/store/project-checks.ts');
  const { readProject, writeProject } = await import('../../../lib/store/projects.ts');
  const { putResult } = await import('../../../lib/store/put-result.ts');
  const { dropSearch, readSearch, subscribe, unsubscribe } = await import('../../../lib/store/searches.ts');
  const { moveRow, readRow } = await import('../../../lib/store/tasks.ts');
  const { changeAccount, putAccount } = await import('../../../lib/store/users.ts');
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);

  /** The tasks whose messages were sent, in order. A task may occur twice. */
  const queued: TaskKey[] = [];
  /** The deliveries whose messages were sent, in order. A delivery may occur twice. */
  const deliveries: DeliveryKey[] = [];
  const send = (url: string | undefined, body: string | undefined) => {
    const message = JSON.parse(body ?? '');
    if (url === process.env.CRAWL_QUEUE_URL) queued.push({ user_id: message.user_id, id: message.id });
    else deliveries.push(message);
  };
  // No webhook is parked.
  stores.queue.on(ReceiveMessageCommand).resolves({});
  stores.queue.on(SendMessageCommand).callsFake(({ QueueUrl, MessageBody }) => {
    send(QueueUrl, MessageBody);
    return {};
  });
  stores.queue.on(SendMessageBatchCommand).callsFake(({ QueueUrl, Entries }) => {
    for (const { MessageBody } of Entries) send(QueueUrl, MessageBody);
    return { Successful: [], Failed: [] };
  });

  /** Writes until the process dies, counted from 1; 0: it does not die. */
  let writesLeft = 0;
  let isAfter = false;
  /** Whether the table refuses each write of a chunk for good. */
  let refusesChunks = false;
  dynamo.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        if (
          refusesChunks &&
          commandName === 'PutItemCommand' &&
          JSON.stringify(args.input).includes('"chunk#')
        ) {
          throw new Error('The item is too large');
        }
        if (writesLeft === 0 || !/^(Put|Update|Delete|BatchWrite)/.test(commandName)) return next(args);
        writesLeft -= 1;
        if (writesLeft > 0) return next(args);
        writesLeft = -1;
        if (isAfter) await next(args);
        throw new Error(death);
      },
    { step: 'initialize', name: 'dying' },
  );

  /** The searches that the test has made. */
  const searches = new Set<string>();
  const projects: Project[] = [];

  let last = 0;
  const nextId = (): number => ++last;

  const search = (keyword: string, change: Partial<TrackedSearch> = {}): TrackedSearch => ({
    engine: 'google',
    engine_domain: 'google.com',
    keyword,
    location_name: '',
    iso_code: 'US',
    language_code: 'en',
    device: 'desktop',
    ...change,
  });

  return {
    queue: stores.queue,
    queued,
    listObjects: stores.listObjects,
    search,
    hashOf: trackedSearchHash,
    user: async (id = nextId(), change: Partial<Account> = {}): Promise<number> => {
      const account: Account = {
        id,
        name: '',
        email: '',
        ttl: 0,
        enabled: true,
        key_hash: String(id),
        key_until: 0,
        other_key_until: 0,
        permissions: [],
        rate_limit: 0,
        webhook_secrets: [`whsec_${Buffer.alloc(24, 1).toString('base64')}`],
        former_secret_until: 0,
        signing_key: Buffer.alloc(32, 7).toString('base64'),
        created_at: 0,
        revision: 1,
        ...change,
      };
      await putAccount(account);
      return id;
    },
    disable: (userId: number) => changeAccount(userId, { enabled: false }),
    project: async (
      user_id: number,
      change: Partial<Project> & { alerts?: AlertRule | null } = {},
    ): Promise<Project> => {
      const project: Project = {
        user_id,
        project_id: nextId(),
        name: 'Shop',
        domain: 'own.example.com',
        competitors: ['rival.example.net'],
        locations: [],
        check_frequency: 24,
        paused: false,
        alerts: null,
        created_at: 0,
        chunks: 1,
        revision: 0,
        ...change,
      };
      await writeProject(project);
      projects.push(project);
      return { ...project, revision: 1 };
    },
    changeProject: async ({ user_id, project_id }: Project, change: Partial<Project>): Promise<void> => {
      const project = await readProject(user_id, project_id);
      if (project) await writeProject({ ...project, ...change });
    },
    /** Adds a keyword to a project, and subscribes it to its search. */
    keyword: async (
      project: Project,
      text: string,
      { now, first_at = now, ...change }: Partial<TrackedKeyword> & { now: number; first_at?: number },
    ): Promise<TrackedKeyword> => {
      const asked = search(text, change);
      const keyword: TrackedKeyword = {
        ...asked,
        keyword_id: nextId(),
        type: 'owner',
        domain: project.domain,
        google_business: null,
        update_frequency: 24,
        paused: false,
        created_at: now,
        search_hash: trackedSearchHash(asked),
        domains: [change.domain ?? project.domain],
        ranks: [noRank],
        days: [],
        features: [],
        cited: null,
        gap: null,
        volumes: null,
        next_at: first_at,
        ...change,
      };
      searches.add(keyword.search_hash);
      await changeChunk(project.project_id, 0, (keywords) => [...keywords, keyword]);
      await subscribe(
        [
          {
            search: asked,
            search_hash: keyword.search_hash,
            keyword_id: keyword.keyword_id,
            user_id: project.user_id,
            project_id: project.project_id,
            chunk: 0,
            update_frequency: keyword.update_frequency,
            first_at,
          },
        ],
        now,
      );
      return keyword;
    },
    deleteKeyword: async (project: Project, { keyword_id }: TrackedKeyword): Promise<void> => {
      await changeChunk(project.project_id, 0, (keywords) =>
        keywords.filter((each) => each.keyword_id !== keyword_id),
      );
    },
    unsubscribe,
    readSearch,
    /** Removes all searches and checks: the next test has none that is due. */
    forget: async (): Promise<void> => {
      for (const hash of searches) {
        const { row, subscribers } = await readSearch(hash);
        await unsubscribe(subscribers);
        if (row) await dropSearch(row);
      }
      for (const { user_id, project_id } of projects.splice(0)) {
        await dropCheck({ kind: 'alerts', user_id, project_id });
        await dropCheck({ kind: 'volumes', user_id, project_id, chunk: 0 });
      }
      searches.clear();
      queued.length = 0;
      deliveries.length = 0;
    },
    plan: (now: number): Promise<number> => planSearches(undefined, now),
    record: (now: number): Promise<number> => recordResults(undefined, now),
    /** The tasks that were queued since the last call, each once. */
    takeQueued: (): TaskKey[] => [
      ...new Map(queued.splice(0).map((key) => [`${key.user_id}/${key.id}`, key])).values(),
    ],
    /** The deliveries that were queued since the last call. */
    takeDeliveries: (): DeliveryKey[] => deliveries.splice(0),
    taskOf: ({ user_id, id }: TaskKey) => readRow(user_id, id, 0),
    /** Ends a task as if it was crawled. */
    end: async (key: TaskKey, end: End): Promise<void> => {
      const row = await readRow(key.user_id, key.id, 0);
      if (!row) throw new Error('The task is gone');
      if ('error' in end) {
        await moveRow(row, { from: ['awaiting'] }, { status: 'error', error_message: end.error });
        return;
      }
      const result = { left: end.hosts.map(organicOf), right: [] };
      const stored = await putResult(
        { ...row, attempt: 1 },
        { result, tracking: null, pages: { 1: result }, total_results: '', search_time: null, top_10: [] },
      );
      const { complete = true, crawled_at, isLost } = end;
      const pointer = isLost ? { attempt: 2 } : stored;
      await moveRow(
        row,
        { from: ['awaiting'] },
        { status: 'success', attempt: 1, stored: pointer, complete, crawled_at, succeed_at: crawled_at },
      );
    },
    /** Crawls a task on the sandbox, at the present time of the clock. */
    crawl: async (key: TaskKey): Promise<void> => {
      const plan = await planPages(key);
      const first = await Promise.all(plan.batch.map((page) => fetchPage(page)));
      const rest = first[0]?.has_next
        ? await Promise.all((plan.rest.batch ?? []).map((page) => fetchPage(page)))
        : [];
      await parseTask({ ...key, attempt: plan.attempt }, [...first, ...rest]);
    },
    /** The keyword as its project shows it. */
    stateOf: async (project: Project, { keyword_id }: TrackedKeyword): Promise<TrackedKeyword> => {
      const { keywords } = await readChunk(project.project_id, 0);
      const found = keywords.find((each) => each.keyword_id === keyword_id);
      if (!found) throw new Error('The keyword is gone');
      return found;
    },
    historyOf: ({ keyword_id }: TrackedKeyword, now: number) =>
      listObservations(keyword_id, { from: 0, to: Number.MAX_SAFE_INTEGER / 1e5 }, now),
    /**
     * Makes the process die at a write of `work`, before or after it. Returns whether it died: false if
     * `work` makes fewer writes.
     */
    dyingAt: async (write: number, after: boolean, work: () => Promise<unknown>): Promise<boolean> => {
      writesLeft = write;
      isAfter = after;
      await work().catch((error: Error) => {
        if (error.message !== death) throw error;
      });
      const died = writesLeft === -1;
      writesLeft = 0;
      return died;
    },
    /** Does the work while no chunk can be written. */
    withoutChunks: async (work: () => Promise<unknown>): Promise<void> => {
      refusesChunks = true;
      await work().finally(() => {
        refusesChunks = false;
      });
    },
    stop: () => stores.stop(),
  };
};
