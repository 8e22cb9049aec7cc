/** A stack killed around every write and send between the final state of a task and the answer of its receiver. */
import { killAtPoints } from './kill-at-points.ts';
import { delivering } from './points.ts';

// The waits between attempts, eight minutes at most, take two seconds.
killAtPoints(delivering, { env: { CLOCK_RATE: '240' }, expected: () => 'success' });
