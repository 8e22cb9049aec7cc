/** A stack killed around every write and send between the message of a task and its final state. */
import { killAtPoints } from './kill-at-points.ts';
import { crawling } from './points.ts';

killAtPoints(crawling, {
  env: {},
  expected: ({ keyword }) => (keyword.startsWith('cut: ') ? 'error' : 'success'),
});
