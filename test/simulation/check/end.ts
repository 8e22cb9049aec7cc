/** Rules about the world after the last fault, when all work must have ended. */
import { refusedKeyword } from '../models/probers.ts';
import type { Plan } from '../plan/plan.ts';
import type { World } from '../world/world.ts';
import type { Arrivals } from './arrivals.ts';
import { checkDeadline } from './deadlines.ts';
import { checkKeywordEnd } from './keyword-ends.ts';
import type { Acked, Ledger } from './ledger.ts';
import { checkPhantoms } from './phantoms.ts';
import { hasNoSecondPage } from './states.ts';
import { mayWaitInVain } from './walls.ts';
import { checkWebhook } from './webhooks.ts';

export type Row = Record<string, unknown>;

export const finals = ['success', 'error', 'dead_letter'];

export const isFinal = (status: string): boolean => finals.includes(status);

/** Misfortunes of the sandbox after which a search never succeeds if they are on its first page. */
export const neverSucceeds = /^(captcha|soft_block|decoy|canned|drift|http_500|cut|reset|consent|http_429): /;

/** Of the addresses of the results, only the hosts are known: no part of a site is known to be missing. */
export const mayHide = (keyword: string, domain = ''): boolean =>
  keyword.startsWith('opaque_links: ') && domain.includes('/');

/** Misfortunes of which searches fail without any fault of the machinery. */
export const mayFail = /^\w+(@\d)?: /;

/** What the service logs about an answer of Google Ads that ends its work. */
const brokenAnswer = /The answer cannot be handled/;

export type Context = {
  world: World;
  plan: Plan;
  ledger: Ledger;
  arrivals: Arrivals;
  /** When each task ended first (milliseconds). */
  endedAt: ReadonlyMap<number, number>;
  /** The row of each task and batch, as it was when it expired if it is over. */
  rows: ReadonlyMap<number, Row>;
  /** Whether no fault struck, no clock was wrong, all receivers were good, and no user was disabled. */
  isCalm: boolean;
  /**
   * Whether only faults struck that delay work between two times (milliseconds), and in the hour before.
   * False if a clock was wrong or a release was deployed.
   */
  isDelayed: (from: number, to: number) => boolean;
  /** Whether no fault struck, no clock was wrong and nothing was deployed. */
  isStill: boolean;
};

/** A run holds its task for so long if its machine may go on although its caller got an error (seconds). */
const heldSeconds = 300;

/** Whether such runs may have held a task until its deadline, which is shorter than on AWS. */
const isHeld = ({ plan }: Context, { attempt, error_message }: Row): boolean =>
  /^timeout: /.test(String(error_message)) &&
  Number(attempt) * heldSeconds >= Number(plan.settings.TASK_DEADLINE);

const checkTask = (context: Context, task: Acked): void => {
  const { ledger, plan, rows, isCalm, isDelayed } = context;
  const row = rows.get(task.id);
  if (!row) {
    ledger.violate('acknowledged tasks exist', `there is no row of task ${task.id} (${task.keyword})`);
    return;
  }
  const status = String(row.status);
  if (!finals.includes(status)) {
    ledger.violate('tasks end', `task ${task.id} (${task.keyword}) is still ${status}: due at ${row.due_at}`);
    return;
  }
  checkDeadline(context, task, row);
  checkKeywordEnd(context, task, row);
  if (status === 'success' && task.kind === 'serp' && neverSucceeds.test(task.keyword))
    ledger.violate('no false success', `task ${task.id} (${task.keyword}) succeeded`);
  if (
    status === 'success' &&
    (mayHide(task.keyword, task.domain) ||
      (task.domain === 'nobody.example' && (task.depth ?? 10) > 10 && hasNoSecondPage.test(task.keyword)))
  )
    ledger.violate(
      '1000 only when allowed',
      `task ${task.id} (${task.keyword}) says that ${task.domain} is not found`,
    );
  if (row.unfinished !== undefined && row.delivery === undefined)
    ledger.violate(
      'nothing stays due',
      `task ${task.id} is ${status} and still in the index of unfinished work`,
    );
  // One call of the source is for the keywords of several tasks, and fails with one of them.
  const mayFailWithOthers =
    task.kind === 'keyword' &&
    ledger.acked.some(({ kind, keyword }) => kind === 'keyword' && mayFail.test(keyword));
  if (status === 'success' && row.succeed_at === undefined)
    ledger.violate('success has a time', `task ${task.id} has no succeed_at`);
  const isOfRated = task.engine !== undefined && task.engine === plan.rated?.engine;
  const mayNotCome = plan.provider?.isGood === false && /^upstream: /.test(String(row.error_message));
  const isOrdinary = task.kind === 'serp' && !mayFail.test(task.keyword) && !isOfRated && !mayNotCome;
  const isSafe =
    !ledger.redriven.has(task.id) &&
    !isHeld(context, row) &&
    // A request with a key is acknowledged again when its task may have ended long before.
    isDelayed(Number(row.created_at) * 1000, context.endedAt.get(task.id) ?? Number.POSITIVE_INFINITY);
  if (isSafe && ((status === 'dead_letter' && !mayFailWithOthers) || (isOrdinary && status !== 'success')))
    ledger.violate(
      'refused calls end no task',
      `task ${task.id} (${task.keyword}) is ${status}: ${row.error_message}`,
    );
  const mayFailNow =
    mayFail.test(task.keyword) || mayFailWithOthers || mayWaitInVain(ledger, task.engine, row.error_message);
  if (isCalm && status !== 'success' && !mayFailNow)
    ledger.violate(
      'calm tasks succeed',
      `task ${task.id} (${task.keyword}) is ${status}: ${row.error_message}`,
    );
};

const checkBatch = ({ ledger, rows, arrivals }: Context, batch: Acked): void => {
  const row = rows.get(batch.id);
  if (!row) {
    ledger.violate('acknowledged tasks exist', `there is no row of batch ${batch.id}`);
    return;
  }
  const counts = row.counts as Record<string, number> | undefined;
  if (!counts) return;
  const sum = Object.values(counts).reduce((total, count) => total + count, 0);
  if (sum !== batch.tasks?.length)
    ledger.violate('batches add up', `batch ${batch.id} counts ${sum} of ${batch.tasks?.length} tasks`);
  const tasks = batch.tasks ?? [];
  const ended = Object.groupBy(tasks, (id) => String(rows.get(id)?.status));
  const isWrong = finals.some((status) => (counts[status] ?? 0) !== (ended[status]?.length ?? 0));
  if (isWrong && !tasks.some((id) => ledger.redriven.has(id)))
    ledger.violate('batches add up', `batch ${batch.id} counts ${JSON.stringify(counts)}`);
  const ids = [...arrivals.byId.keys()].filter((id) => id.includes(String(batch.id)));
  if (new Set(ids).size > 1)
    ledger.violate('one delivery', `batch ${batch.id} has deliveries ${ids.join(', ')}`);
};

/** Reading 28: nothing of a batch that was refused is there. */
const checkRefused = ({ ledger, rows }: Context): void => {
  for (const [id, { keyword }] of rows)
    if (keyword === refusedKeyword)
      ledger.violate('batches are whole', `task ${id} is of a batch that was refused`);
};

/**
 * Whether a message is about a tracked search that its engine throttles until the search's deadline. It is
 * crawled each day, so also at the end of a world of some days.
 */
const isThrottled = ({ world, plan, rows }: Context, body: string): boolean => {
  const { id } = JSON.parse(body) as { id?: number };
  const { keyword, created_at } = rows.get(id ?? 0) ?? {};
  const seconds = world.scheduler.now() / 1000 - Number(created_at);
  return String(keyword).startsWith('http_429: ') && seconds < Number(plan.settings.TASK_DEADLINE);
};

const checkQueues = (context: Context): void => {
  const { world, ledger, rows } = context;
  for (const { definition, counts, bodies } of world.queues.all()) {
    const { visible, delayed, held } = counts();
    const name = definition.name;
    if (/DeadLetters|Parked/.test(name)) {
      for (const body of bodies()) {
        const { id } = JSON.parse(body) as { id?: number };
        const row = rows.get(id ?? 0);
        // The last receive ends the task before its message moves there.
        if (/Crawl|Keyword/.test(name) && row && !finals.includes(String(row.status)))
          ledger.violate(
            'dead letters are ended',
            `the message of ${id} is in ${name} and the task is ${row.status}`,
          );
      }
      continue;
    }
    if (!bodies().every((body) => isThrottled(context, body)))
      ledger.violate(
        'queues become empty',
        `${name} has ${visible} visible, ${delayed} delayed, ${held} in progress`,
      );
  }
};

const checkErased = ({ world, ledger }: Context, userIds: readonly number[]): void => {
  for (const userId of userIds) {
    const projects = new Set(
      [...ledger.tracked, ...ledger.imports]
        .filter((each) => each.userId === userId)
        .map(({ projectId }) => `project#${projectId}`),
    );
    for (const name of ['USERS_TABLE', 'TASKS_TABLE', 'TRACKING_TABLE']) {
      const left = world.tables
        .all(world.name(name))
        // Records of requests with an `Idempotency-Key` expire after a day (`lib/store/user-tasks.ts`), and
        // claims of imports after an hour.
        .filter((row) => row.accepted === undefined && !/^import-(?:key|claim)#/.test(String(row.sk)))
        .filter(
          (row) =>
            row.user_id === userId ||
            row.task_user === userId ||
            row.asked_by === userId ||
            (name === 'USERS_TABLE' && row.id === userId) ||
            row.pk === `user#${userId}` ||
            projects.has(String(row.pk)) ||
            String(row.pk ?? row.partition).startsWith(`${userId}#`),
        );
      if (left.length > 0)
        ledger.violate(
          'erase leaves nothing',
          `${left.length} rows of user ${userId} in ${name}: ${JSON.stringify(left[0]).slice(0, 150)}`,
        );
    }
    const lines = world.tables
      .all(world.name('PACE_TABLE'))
      .filter(({ line }) => String(line).endsWith(`#${userId}`));
    if (lines.length > 0) ledger.violate('erase leaves nothing', `the turns ${JSON.stringify(lines[0])}`);
    // A message that SQS delivers twice is there again after it was deleted.
    const isTwice = world.faults.struck().some(({ key, where }) => /^dupl/.test(key) && /Parked/.test(where));
    const isParked = world.queues
      .find(world.name('PARKED_QUEUE_URL'))
      .bodies()
      .some((body) => (JSON.parse(body) as { user_id: number }).user_id === userId);
    if (isParked && !isTwice)
      ledger.violate('erase leaves nothing', `messages of parked webhooks of user ${userId}`);
    const keys = world.objects
      .keys()
      .filter((key) => new RegExp(`^(results|deliveries|alerts)/${userId}/`).test(key));
    if (keys.length > 0) ledger.violate('erase leaves nothing', `objects ${keys.slice(0, 3).join(', ')}`);
  }
};

export const checkEnd = (context: Context, erasedIds: readonly number[]): void => {
  const { world, ledger, isCalm } = context;
  for (const task of ledger.acked) {
    if (ledger.erased.has(task.user)) continue;
    if (task.kind === 'batch') checkBatch(context, task);
    else checkTask(context, task);
    checkWebhook(context, task);
  }
  checkRefused(context);
  checkPhantoms(context);
  checkQueues(context);
  checkErased(context, erasedIds);
  const [error] = world.errors.filter((line) => !brokenAnswer.test(line));
  if (isCalm && error !== undefined) ledger.violate('calm worlds log no errors', error.slice(0, 400));
};

/** Calls of an idle minute: of the planner, the recorder, the sweeper and the others, and some for chance. */
const mostIdleCalls = 44;

/**
 * Calls about a project whose user has a keyword that is always too much for Google Ads. One call is for the
 * keywords of a user, so all of them are asked again.
 */
const throttledCalls = 30;

export const checkIdle = (ledger: Ledger, calls: number, minutes: number): void => {
  const throttled = ledger.tracked.filter(({ keyword }) => /^http_429/.test(keyword));
  const users = new Set(throttled.map(({ userId }) => userId));
  const waiting = ledger.tracked.filter(({ userId }) => users.has(userId));
  const projects = new Set(waiting.map(({ projectId }) => projectId)).size;
  // So many minutes can contain one more run of each schedule.
  if (calls > mostIdleCalls * (minutes + 1) + throttledCalls * projects)
    ledger.violate('idle costs little', `${calls} calls in ${minutes} idle minutes`);
};
