/** Kills a stack before and after every write and send from a task's queue message to its final state. */
import { killAtPoints } from './kill-at-points.ts';
import { crawling } from './points.ts';

killAtPoints(crawling, {
  env: {},
  expected: ({ keyword }) => (keyword.startsWith('cut: ') ? 'error' : 'success'),
});
