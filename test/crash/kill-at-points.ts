/** Kills a stack at one point after another, and sees everything that was accepted come to its end. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Chain, comesTrue, finalStates, startChain, type WrittenTask } from './chain.ts';
import { type Scenario, searches } from './points.ts';

/** The promise: final within a minute of a restart. */
const finalWithinMs = 60_000;

const diesWithinMs = 60_000;

/** A delivery cut off in its first wait has its own time, a minute and a half after the failure; the sweeper comes later still. */
const deliveredWithinMs = 150_000;

type Task = Pick<WrittenTask, 'id' | 'status' | 'post_id' | 'postback_url'>;

const isRefused = ({ postback_url }: Task) => postback_url?.endsWith('/refuses');
const taskName = ({ id, status, post_id, postback_url }: Task) =>
  `${id} ${status} ${postback_url}, posted before ${post_id}`;
/** Deliveries that a task takes where nothing dies. */
const wantedBy = (task: Task) => (isRefused(task) ? 5 : task.postback_url?.includes('/second-time') ? 2 : 1);

export const killAtPoints = (
  scenarios: Record<string, Scenario>,
  { env, expected }: { env: Record<string, string>; expected: (task: WrittenTask) => string },
): void => {
  let chain: Chain;
  beforeAll(async () => {
    chain = await startChain(env);
  });
  afterAll(() => chain.end());

  // Backwards, so that a recovery comes by the point that is next as seldom as may be.
  const steps = Object.entries(scenarios)
    .reverse()
    .flatMap(([work, scenario]) =>
      ['after', 'before'].map((side) => ({ point: `${side}-${work}`, ...scenario })),
    );
  type Step = (typeof steps)[number];
  /** Points at which the recovery from another death has died. */
  const passed = new Set<string>();
  let armed: string | undefined;

  const restart = async (step?: Step) => {
    await chain.restart(step && { ...step.env, CRASH_AT: `${step.point}:${step.pass ?? 1}` });
    armed = step?.point;
  };
  const dies = () => comesTrue(chain.isDead, diesWithinMs);
  /** Whether all that was accepted is final; false if the process died before. */
  const recovers = async () => {
    const isOver = await comesTrue(async () => chain.isDead() || chain.allFinal(), finalWithinMs);
    expect(isOver, 'final within a minute').toBe(true);
    return !chain.isDead();
  };

  const dieAt = async (step: Step) => {
    if (step.afterDeathAt) {
      await chain.restart({ CRASH_AT: step.afterDeathAt });
      await step.drive(chain, step.point);
      expect(await dies(), step.afterDeathAt).toBe(true);
      await restart(step);
    } else {
      if (armed !== step.point) await restart(step);
      await step.drive(chain, step.point);
    }
    expect(await dies(), step.point).toBe(true);
  };

  test.each(steps.map((step, n) => ({ ...step, next: steps[n + 1] })))(
    'killed $point, a stack ends what it had accepted',
    async ({ next, ...step }) => {
      if (!passed.has(step.point)) await dieAt(step);

      // One start is the recovery from this death and the scene of the next, where that asks for nothing special.
      await restart(next?.env || next?.afterDeathAt ? undefined : next);
      if (await recovers()) return;
      passed.add(String(armed));
      await restart();
      expect(await recovers()).toBe(true);
    },
  );

  test('each task has ended once, with one result and one delivery, and one more for a death in between', async () => {
    await restart();
    expect(await recovers()).toBe(true);

    const isParked = ({ user_id, id }: WrittenTask) =>
      chain.objects(`deliveries/${user_id}/${id}/`).length > 0;
    // Cut off in a later wait than the first, it waits for longer than a test can.
    const waitsOn = ({ delivery_state, unfinished, due_at = 0 }: WrittenTask) =>
      delivery_state === 'pending' && unfinished !== undefined && due_at > Date.now() / 1000;
    const isSettled = (row: WrittenTask) =>
      finalStates.includes(row.status) &&
      (isRefused(row) ? isParked(row) || waitsOn(row) : chain.deliveriesOf(row).length > 0);
    const unsettled = async () => (await chain.rows()).filter((row) => !isSettled(row)).map(taskName);
    await comesTrue(async () => (await unsettled()).length === 0, deliveredWithinMs);

    // What was written runs, although nobody may have been told.
    expect(await unsettled()).toEqual([]);
    const rows = await chain.rows();
    const written = new Set(rows.map(({ id }) => id));
    expect(chain.accepted.filter(({ task }) => !written.has(task.id))).toEqual([]);
    const wrong = rows.filter((row) => row.status !== expected(row));
    expect(wrong.map(taskName)).toEqual([]);
    if ('write-rows' in scenarios) {
      // A half-made batch is among it: two were asked for one by one, and answered.
      const isHalfMade = ({ post_id }: Pick<Task, 'post_id'>) => post_id === 'after-write-rows';
      expect(chain.accepted.filter(({ task }) => isHalfMade(task))).toHaveLength(2);
      expect(rows.filter(isHalfMade)).toHaveLength(searches);
    }
    const stored = chain.objects('results/').map((key) => key.split('/').slice(0, 3).join('/'));
    expect(stored).toHaveLength(new Set(stored).size);
    for (const { task, startsBefore } of chain.accepted) {
      const ids = chain.deliveriesOf(task).map(({ headers }) => headers['webhook-id']);
      expect(new Set(ids).size).toBeLessThanOrEqual(1);
      expect(ids.length).toBeLessThanOrEqual(wantedBy(task) + chain.starts() - startsBefore);
    }
  });
};
