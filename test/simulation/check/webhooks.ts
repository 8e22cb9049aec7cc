/** Rules about the webhook of a task or a batch at the end. */
import { firstDay } from '../world/world.ts';
import { type Context, finals } from './end.ts';
import type { Acked } from './ledger.ts';

/** Without faults, a webhook of a good receiver is made soon after its task ends (seconds). */
const promptSeconds = 20;

/** The delays before the second and the later attempts (milliseconds; Reading 32). */
const delaysMs = [60_000, 120_000, 240_000, 480_000];

/** An attempt takes up to 10 s at a slow receiver, and the calls around it some more (milliseconds). */
const lateMs = 25_000;

/**
 * A fault before the first attempt that is sent can have cost one before it: if its process ends after its
 * record, it is not sent, and the sweeper queues the next one when its time is over (milliseconds).
 */
const beforeMs = 120_000;

/**
 * A parked webhook was sent five times, with the delays of Reading 32 between them. An attempt during which a
 * process ends is not sent, or the next one comes sooner, so webhooks are left out beside which something
 * struck. A process whose clock is wrong sends too early or too late.
 */
const checkParked = ({ world, plan, ledger }: Context, delivery: string, sent: readonly number[]): void => {
  const [first = 0] = sent;
  const last = sent.at(-1) ?? world.scheduler.now();
  const isAlone = world.faults.struck().every(({ at }) => at < first - beforeMs || at > last);
  if (!isAlone || plan.skewSeconds > 0 || plan.deployAt > 0) return;
  if (sent.length !== delaysMs.length + 1)
    ledger.violate('five attempts', `${delivery} is parked, and was sent ${sent.length} times`);
  for (const [n, delay] of delaysMs.entries()) {
    const pause = (sent[n + 1] ?? 0) - (sent[n] ?? 0);
    if (pause < delay - 1000 || pause > delay + lateMs)
      ledger.violate('delays between attempts', `attempt ${n + 2} of ${delivery} came after ${pause} ms`);
  }
};

const copyOf = (userId: number, id: number, delivery: string): string =>
  `deliveries/${userId}/${id}/${delivery}.json`;

/** Reading 35: the payload of a parked webhook is kept for 35 days, and a message names it. */
const checkCopy = ({ world, ledger }: Context, { userId, id }: Acked, delivery: string): void => {
  const key = copyOf(userId, id, delivery);
  const isNamed = world.queues
    .find(world.name('PARKED_QUEUE_URL'))
    .bodies()
    .some((body) => (JSON.parse(body) as { key: string }).key === key);
  if (!world.objects.has(key) || !isNamed)
    ledger.violate('parked webhooks can be sent', `${delivery} is parked without its payload or its message`);
};

/** A parked webhook that was sent again, and accepted, leaves no copy. */
const checkUnparked = ({ world, ledger, rows }: Context, { userId, id }: Acked, delivery: string): void => {
  const state = rows.get(id)?.delivery_state;
  if (state !== 'delivered')
    ledger.violate('webhooks are sent again', `${delivery} is ${state}, and its receiver is good now`);
  if (world.objects.has(copyOf(userId, id, delivery)))
    ledger.violate('webhooks are sent again', `${delivery} is delivered, and its copy is still parked`);
};

/** When a task succeeded, or a batch ended (seconds); infinite if a task has no result. */
const endOf = ({ rows, endedAt }: Context, { id, tasks }: Acked): number => {
  if (tasks) return Math.max(...tasks.map((each) => (endedAt.get(each) ?? Number.POSITIVE_INFINITY) / 1000));
  const row = rows.get(id);
  return row?.status === 'success' ? Number(row.succeed_at) : Number.POSITIVE_INFINITY;
};

export const checkWebhook = (context: Context, task: Acked): void => {
  const { plan, ledger, rows, arrivals, isStill } = context;
  const row = rows.get(task.id);
  if (!row || !task.hook || ledger.disabled.has(task.user)) return;
  const { delivery, delivery_state } = row;
  if (typeof delivery !== 'string') {
    if (task.kind === 'batch' || finals.includes(String(row.status)))
      ledger.violate(
        'each webhook is made',
        `${task.kind} ${task.id} (${row.status ?? 'not ended'}) has no delivery`,
      );
    return;
  }
  const known = arrivals.of(delivery);
  const behaviour = plan.receivers[task.user];
  if (delivery_state !== 'delivered' && delivery_state !== 'parked') {
    ledger.violate('webhooks end', `${delivery} is still ${delivery_state}`);
    return;
  }
  if (delivery_state === 'delivered' && !known?.accepted)
    ledger.violate('no false delivery', `${delivery} is delivered and never arrived`);
  const [first = 0] = known?.times ?? [];
  const ended = endOf(context, task);
  if (isStill && behaviour === 'good' && first / 1000 > ended + promptSeconds)
    ledger.violate('webhooks are prompt', `${delivery} arrived ${first / 1000 - ended} s after the end`);
  const unparkedAt = ledger.unparked.get(task.id);
  // Nothing strikes from then on, and the receiver is good.
  if (plan.goodFrom > 0 && unparkedAt !== undefined && unparkedAt > firstDay + plan.faultsMs)
    checkUnparked(context, task, delivery);
  if (delivery_state !== 'parked') return;
  checkCopy(context, task, delivery);
  if (behaviour === 'good' && !known?.accepted)
    ledger.violate('good receivers get webhooks', `${delivery} is parked`);
  if (!ledger.resent.has(task.id)) checkParked(context, delivery, known?.sent ?? []);
};
