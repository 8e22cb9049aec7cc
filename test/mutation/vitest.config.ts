/** The tests of one group, as one project: `run.ts` names the group. */
import { defineConfig } from 'vitest/config';
import { groups } from './groups.ts';

export default defineConfig({
  test: {
    setupFiles: ['test/setup/env.ts'],
    include: groups[process.env.MUTATION_GROUP ?? '']?.tests ?? [],
    testTimeout: 60_000,
    hookTimeout: 240_000,
    isolate: false,
  },
});
