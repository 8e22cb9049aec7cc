/**
 * Kills a stack before and after every write and send from a task's final state to the answer of its
 * receiver.
 */
import { killAtPoints } from './kill-at-points.ts';
import { delivering } from './points.ts';

// The waits between attempts, at most eight minutes, take at most two seconds.
killAtPoints(delivering, { env: { CLOCK_RATE: '240' }, expected: () => 'success' });
