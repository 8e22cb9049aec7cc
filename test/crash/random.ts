/**
 * Kills a stack at random moments while tasks with webhooks come in: `node test/crash/random.ts [kills] [tasks] [seed]`. The
 * moments follow from the seed, which it prints.
 */
import { comesTrue, finalStates, startChain } from './chain.ts';

export type Toll = {
  accepted: number;
  /** Final within a minute of the last start. */
  final: number;
  success: number;
  delivered: number;
  /** Tasks told under more than one `webhook-id`, or with more than one stored result. */
  doubled: number;
  /** Deliveries beyond one for each task. */
  extra: number;
  /** Tasks with more extra deliveries than deaths in their life. */
  excess: number;
};

/** Numbers from 0 to 1 that follow from the seed (mulberry32). */
const randomFrom = (seed: number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** Longer than a handful of tasks takes on an idle machine, so that some deaths come at rest. */
const longestLifeMs = 1500;

export const killAtRandom = async (options: {
  kills: number;
  tasks: number;
  seed: number;
}): Promise<Toll> => {
  const { kills, tasks, seed } = options;
  const random = randomFrom(seed);
  const chain = await startChain();
  try {
    for (let life = 0; life < kills; life += 1) {
      await chain.restart();
      const bodies = Array.from({ length: Math.ceil(tasks / kills) }, (_, n) => ({
        keyword: `${n % 5 === 0 ? 'slow: ' : ''}tea cups ${life} ${n}`,
        location_name: 'United States',
        iso_code: 'US',
        postback_url: chain.hook('/takes'),
      }));
      const half = Math.floor(bodies.length / 2);
      const posting = Promise.all([
        chain.post('crawl/google/batch', bodies.slice(0, half)),
        ...bodies.slice(half).map((body) => chain.post('crawl', body)),
      ]);
      await new Promise((resolve) => setTimeout(resolve, random() * longestLifeMs));
      await chain.kill();
      await posting;
    }
    await chain.restart();
    await comesTrue(chain.allFinal, 60_000);
    await comesTrue(() => chain.accepted.every(({ task }) => chain.deliveriesOf(task).length > 0), 150_000);
    // Time for one too many.
    await new Promise((resolve) => setTimeout(resolve, 3000));

    const all = chain.accepted.map(({ task, startsBefore }) => {
      const deliveries = chain.deliveriesOf(task);
      return {
        status: task.status,
        deliveries: deliveries.length,
        ids: new Set(deliveries.map(({ headers }) => headers['webhook-id'])).size,
        results: chain.objects(`results/${task.user_id}/${task.id}/`).length,
        deaths: chain.starts() - startsBefore,
      };
    });
    const extraOf = (each: { deliveries: number }) => Math.max(0, each.deliveries - 1);
    return {
      accepted: all.length,
      final: all.filter(({ status }) => finalStates.includes(status)).length,
      success: all.filter(({ status }) => status === 'success').length,
      delivered: all.filter(({ deliveries }) => deliveries > 0).length,
      doubled: all.filter(({ ids, results }) => ids > 1 || results > 1).length,
      extra: all.reduce((sum, each) => sum + extraOf(each), 0),
      excess: all.filter((each) => extraOf(each) > each.deaths).length,
    };
  } finally {
    await chain.end();
  }
};

if (import.meta.main) {
  const [kills = 20, tasks = 200, seed = Date.now() % 1_000_000] = process.argv.slice(2).map(Number);
  console.log(`${kills} kills among ${tasks} tasks, seed ${seed}`);
  const toll = await killAtRandom({ kills, tasks, seed });
  console.log(toll);
  const { accepted, success, delivered, doubled, excess } = toll;
  const isWell = success === accepted && delivered === accepted && doubled === 0 && excess === 0;
  process.exitCode = isWell ? 0 : 1;
}
