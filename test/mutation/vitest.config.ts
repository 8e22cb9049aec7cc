/** The tests of one group, as one project: `run.ts` names the group. */
import { defineConfig } from 'vitest/config';
import { groups } from './groups.ts';

const tests = groups[process.env.MUTATION_GROUP ?? '']?.tests ?? [];

export default defineConfig({
  test: {
    setupFiles: ['test/setup/env.ts'],
    include: tests,
    // Loading the modules of each file anew takes longer than its tests. Unit tests of these rooms share no
    // state, and all of them replace the same module of Node.
    isolate: !tests.every((name) => /^test\/unit\/(keyword|pace|provider|model)\//.test(name)),
    testTimeout: 60_000,
    hookTimeout: 240_000,
  },
});
