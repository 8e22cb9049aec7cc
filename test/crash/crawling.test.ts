/** A stack killed around every write and send between a request and the final state of its task. */
import { killAtPoints } from './kill-at-points.ts';
import { crawling } from './points.ts';

killAtPoints(crawling, {
  env: {},
  expected: ({ task }) => (task.keyword.startsWith('cut: ') ? 'error' : 'success'),
});
