/**
 * Generators: the search of a task, and lists of commands, weighted so that most commands find something to
 * do.
 */
import fc from 'fast-check';
import type { Search } from './life.ts';
import { breakRun, type Death, deliver, fetchPages, parse, plan, sweep } from './model.ts';

const pick = fc.nat(8);
const rarely = fc.integer({ min: 1, max: 5 }).map((n) => n === 5);
const death = fc.constantFrom<Death>(
  'none',
  'none',
  'none',
  'before the final write',
  'before the delivery is queued',
);
const delivering = fc.tuple(pick, rarely, rarely).map(([n, taken, dies]) => deliver(n, taken, dies));
const sweeping = rarely.map((isLate) => sweep(isLate ? 22_000 : 1000));
const parsing = fc.tuple(pick, death).map(([n, dies]) => parse(n, dies));
const fetching = fc.tuple(pick, death).map(([n, dies]) => fetchPages(n, dies));
const running = [pick.map(plan), fetching, parsing];

/** Lists of commands: the messages and steps of a task from its creation to its delivery. */
export const lives = fc.commands(
  [
    ...running,
    ...running,
    ...running,
    ...running,
    delivering,
    delivering,
    delivering,
    sweeping,
    pick.map(breakRun),
  ],
  { maxCommands: 30, size: 'max' },
);

/** Lists of commands for a task that is final but not delivered. */
export const afterlives = fc.commands([delivering, delivering, delivering, sweeping, pick.map(plan)], {
  maxCommands: 30,
  size: 'max',
});

export const searches: fc.Arbitrary<Search> = fc
  .record({
    kind: fc.constantFrom('good', 'good', 'empty', 'cut'),
    depth: fc.constantFrom(10, 20),
    postback: fc.constantFrom(true, true, false),
    reuse: fc.boolean(),
  })
  .map((search) => ({ ...search, reuse: search.reuse && search.kind !== 'cut' }));

/**
 * Parameters of a property. The number of runs bounds its cost. The time limit is for a run that hangs: it is
 * far above what a busy machine needs, and reaching it is a failure, because the remaining runs did not
 * happen.
 */
export const boundedTo = (numRuns: number) => ({
  numRuns,
  interruptAfterTimeLimit: 200_000,
  markInterruptAsFailure: true,
});

/** Time limit of a test that runs a property: above that of the property, which reports more. */
export const propertyTimeoutMs = 240_000;
