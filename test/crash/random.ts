/**
 * Kills a stack at random moments while it accepts tasks with webhooks:
 * `node test/crash/random.ts [kills] [tasks] [seed]`. The seed, which it prints, determines the moments.
 */
import { comesTrue, finalStates, startChain } from './chain.ts';

export type Toll = {
  accepted: number;
  /** Final after the last start. */
  final: number;
  success: number;
  delivered: number;
  /** Tasks with more than one `webhook-id` or more than one stored result. */
  doubled: number;
  /** Deliveries in addition to the first one of each task. */
  extra: number;
  /** Tasks with more additional deliveries than kills after they were accepted. */
  excess: number;
};

/** A seeded generator of numbers from 0 to 1 (mulberry32). */
const randomFrom = (seed: number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** Longer than a few tasks take on an idle machine, so that some kills hit an idle stack. */
const longestRunMs = 1500;

export const killAtRandom = async (options: {
  kills: number;
  tasks: number;
  seed: number;
}): Promise<Toll> => {
  const { kills, tasks, seed } = options;
  const random = randomFrom(seed);
  const chain = await startChain();
  try {
    for (let run = 0; run < kills; run += 1) {
      await chain.restart();
      const bodies = Array.from({ length: Math.ceil(tasks / kills) }, (_, n) => ({
        keyword: `${n % 5 === 0 ? 'slow: ' : ''}tea cups ${run} ${n}`,
        location_name: 'United States',
        iso_code: 'US',
        postback_url: chain.hook('/accepts'),
      }));
      const half = Math.floor(bodies.length / 2);
      const posting = Promise.all([
        chain.post('crawl/google/batch', bodies.slice(0, half)),
        ...bodies.slice(half).map((body) => chain.post('crawl', body)),
      ]);
      await new Promise((resolve) => setTimeout(resolve, random() * longestRunMs));
      // A busy machine may not have accepted anything until then.
      if (run === kills - 1 && chain.accepted.length === 0) await posting;
      await chain.kill();
      await posting;
    }
    await chain.restart();
    await comesTrue(chain.allFinal);
    await comesTrue(() => chain.accepted.every(({ task }) => chain.deliveriesOf(task).length > 0));
    // Leave time for a duplicate to arrive.
    await new Promise((resolve) => setTimeout(resolve, 3000));

    const all = chain.accepted.map(({ task, startsBefore }) => {
      const deliveries = chain.deliveriesOf(task);
      return {
        status: task.status,
        deliveries: deliveries.length,
        ids: new Set(deliveries.map(({ headers }) => headers['webhook-id'])).size,
        results: chain.objects(`results/${task.user_id}/${task.id}/`).length,
        kills: chain.starts() - startsBefore,
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
      excess: all.filter((each) => extraOf(each) > each.kills).length,
    };
  } finally {
    await chain.end();
  }
};

if (import.meta.main) {
  const [kills = 20, tasks = 200, seed = Date.now() % 1_000_000] = process.argv.slice(2).map(Number);
  console.log(`${kills} kills among ${tasks} tasks, seed ${seed}`);
  const counts = await killAtRandom({ kills, tasks, seed });
  console.log(counts);
  const { accepted, success, delivered, doubled, excess } = counts;
  const isGood = success === accepted && delivered === accepted && doubled === 0 && excess === 0;
  process.exitCode = isGood ? 0 : 1;
}
