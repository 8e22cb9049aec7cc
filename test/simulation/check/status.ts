/** Rules about what the service says of itself at the end: it is healthy, and its queues are as they are. */
import type { Users } from '../models/users.ts';
import type { World } from '../world/world.ts';
import type { Ledger } from './ledger.ts';

const minute = 60_000;

/** The queues by the variables that name them. */
const variables: Record<string, string> = {
  crawl: 'CRAWL_QUEUE_URL',
  keyword: 'KEYWORD_QUEUE_URL',
  postback: 'POSTBACK_QUEUE_URL',
  patient: 'PATIENT_QUEUE_URL',
  parked: 'PARKED_QUEUE_URL',
};

type Status = {
  queues: { name: string; waiting: number; delayed: number; in_progress: number }[];
  oldest_task_seconds: number;
  oldest_webhook_seconds: number;
};

/** An answer is kept for so long. */
const keptSeconds = 5;

/**
 * Ages of unfinished work in whole seconds. At the end, it is the webhooks of alerts whose receivers refuse
 * them: they are sent at any time of the day.
 */
const agesOf = (world: World, work: 'task' | 'delivery'): number[] =>
  world.tables
    .all(world.name('TASKS_TABLE'))
    .filter(({ unfinished }) => String(unfinished ?? '').startsWith(`${work}#`))
    .map(({ created_at }) => Math.floor(world.scheduler.now() / 1000) - Number(created_at));

export const checkStatus = async (world: World, ledger: Ledger, users: Users): Promise<void> => {
  const violate = (text: string) => ledger.violate('the status is true', text);
  const check = async (key: string) => {
    const health = await world.ask(key, 'GET', '/health');
    if (health.body.status !== 'ok')
      violate(`/health answers ${health.status} ${JSON.stringify(health.body)} when all parts work`);
    const { status, body } = await world.ask(key, 'GET', '/api/v1/status');
    if (status !== 200) return violate(`/api/v1/status answers ${status}`);
    const { queues, oldest_task_seconds, oldest_webhook_seconds } = body as Status;
    for (const { name, ...said } of queues) {
      const { visible, delayed, held } = world.queues.find(world.name(variables[name] ?? name)).counts();
      const [is, are] = [Object.values(said).join(), [visible, delayed, held].join()];
      if (is !== are) violate(`the queue ${name} has ${are} messages, and not ${is}`);
    }
    for (const [work, age] of [
      ['task', oldest_task_seconds],
      ['delivery', oldest_webhook_seconds],
    ] as const) {
      const ages = agesOf(world, work);
      const [least, most] = [Math.min(...ages) - keptSeconds, Math.max(...ages)];
      if (ages.length === 0 ? age > 0 : age < least || age > most)
        violate(`the oldest ${work} is ${age} s old, and there are ${ages.length}, of ${least} to ${most} s`);
    }
  };
  const client = ledger.acked.find(
    ({ user }) => !ledger.erased.has(user) && !ledger.disabled.has(user) && !ledger.keyless.has(user),
  );
  if (!client) return;
  void check(users.userOf(client.user).key);
  await world.scheduler.runUntil(world.scheduler.now() + minute);
};
