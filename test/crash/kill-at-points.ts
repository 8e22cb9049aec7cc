/** Kills a stack at one crash point after another and checks that all accepted tasks end. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Chain, comesTrue, finalStates, startChain, type WrittenTask } from './chain.ts';
import { type Scenario, searches } from './points.ts';

type Task = Pick<WrittenTask, 'id' | 'status' | 'post_id' | 'postback_url'>;

const isRefused = ({ postback_url }: Task) => postback_url?.endsWith('/refuses');
const taskName = ({ id, status, post_id, postback_url }: Task) =>
  `${id} ${status} ${postback_url}, posted before ${post_id}`;

/** The number of deliveries of a task without a kill. */
const deliveriesOf = (task: Task) =>
  isRefused(task) ? 5 : task.postback_url?.includes('/second-time') ? 2 : 1;

export const killAtPoints = (
  scenarios: Record<string, Scenario>,
  {
    env,
    files,
    expected,
  }: {
    env: Record<string, string>;
    files?: Record<string, object>;
    expected: (task: WrittenTask) => string;
  },
): void => {
  let chain: Chain;
  beforeAll(async () => {
    chain = await startChain(env, files);
  });
  afterAll(() => chain.end());

  // In reverse order, so that a recovery seldom passes the next crash point.
  const steps = Object.entries(scenarios)
    .reverse()
    .flatMap(([work, scenario]) =>
      ['after', 'before'].map((side) => ({ point: `${side}-${work}`, ...scenario })),
    );
  type Step = (typeof steps)[number];
  /** Crash points that killed the recovery from another kill. */
  const passed = new Set<string>();
  let armed: string | undefined;

  const restart = async (step?: Step) => {
    await chain.restart(step && { ...step.env, CRASH_AT: `${step.point}:${step.pass ?? 1}` });
    armed = step?.point;
  };
  const dies = () => comesTrue(chain.isDead);
  /** Whether all accepted tasks are final. Returns false if the process was killed before that. */
  const recovers = async () => {
    const isOver = await comesTrue(async () => chain.isDead() || chain.allFinal());
    expect(isOver, 'all are final').toBe(true);
    return !chain.isDead();
  };

  const dieAt = async (step: Step) => {
    if (step.afterKillAt) {
      await chain.restart({ CRASH_AT: step.afterKillAt });
      await step.drive(chain, step.point);
      expect(await dies(), step.afterKillAt).toBe(true);
      await restart(step);
    } else {
      if (armed !== step.point) await restart(step);
      await step.drive(chain, step.point);
    }
    expect(await dies(), step.point).toBe(true);
  };

  test.each(steps.map((step, n) => ({ ...step, next: steps[n + 1] })))(
    'after a kill $point, all accepted tasks end',
    async ({ next, ...step }) => {
      if (!passed.has(step.point)) await dieAt(step);

      // This start also runs into the next kill, unless that needs settings of its own or an earlier kill.
      await restart(next?.env || next?.afterKillAt ? undefined : next);
      if (await recovers()) return;
      passed.add(String(armed));
      await restart();
      expect(await recovers()).toBe(true);
    },
  );

  test('each task has ended once, with one result and one delivery, or one more for each kill in between', async () => {
    await restart();
    expect(await recovers()).toBe(true);

    const isParked = ({ user_id, id }: WrittenTask) =>
      chain.objects(`deliveries/${user_id}/${id}/`).length > 0;
    // A delivery that was interrupted in a later wait is due too late for a test.
    const waitsOn = ({ delivery_state, unfinished, due_at = 0 }: WrittenTask) =>
      delivery_state === 'pending' && unfinished !== undefined && due_at > Date.now() / 1000;
    const isSettled = (row: WrittenTask) =>
      finalStates.includes(row.status) &&
      (isRefused(row) ? isParked(row) || waitsOn(row) : chain.deliveriesOf(row).length > 0);
    const unsettled = async () => (await chain.rows()).filter((row) => !isSettled(row)).map(taskName);
    // As it is when all are settled: a delivery that waits can become due a moment later.
    let left: string[] = [];
    await comesTrue(async () => {
      left = await unsettled();
      return left.length === 0;
    });

    // Every written task runs, even if its client got no answer.
    expect(left).toEqual([]);
    const rows = await chain.rows();
    const written = new Set(rows.map(({ id }) => id));
    expect(chain.accepted.filter(({ task }) => !written.has(task.id))).toEqual([]);
    const wrong = rows.filter((row) => row.status !== expected(row));
    expect(wrong.map(taskName)).toEqual([]);
    if ('write-rows' in scenarios) {
      // The batch was killed after its rows were written. Only the two single searches before it were
      // answered.
      const isFromKilledRun = ({ post_id }: Pick<Task, 'post_id'>) => post_id === 'after-write-rows';
      expect(chain.accepted.filter(({ task }) => isFromKilledRun(task))).toHaveLength(2);
      expect(rows.filter(isFromKilledRun)).toHaveLength(searches);
    }
    const stored = chain.objects('results/').map((key) => key.split('/').slice(0, 3).join('/'));
    expect(stored).toHaveLength(new Set(stored).size);
    // Each accepted batch is reported once, or once more for a kill during its delivery, always by the same
    // delivery.
    const reportsOf = (id: number) => chain.deliveriesOf({ id });
    await comesTrue(() => chain.batches.every((id) => reportsOf(id).length > 0));
    expect(chain.batches.filter((id) => reportsOf(id).length === 0)).toEqual([]);
    for (const id of chain.batches) {
      expect(new Set(reportsOf(id).map(({ headers }) => headers['webhook-id'])).size).toBe(1);
      for (const { body } of reportsOf(id)) expect(JSON.parse(body).status).toBe('finished');
    }
    for (const { task, startsBefore } of chain.accepted) {
      const ids = chain.deliveriesOf(task).map(({ headers }) => headers['webhook-id']);
      expect(new Set(ids).size).toBeLessThanOrEqual(1);
      expect(ids.length).toBeLessThanOrEqual(deliveriesOf(task) + chain.starts() - startsBefore);
    }
  });
};
