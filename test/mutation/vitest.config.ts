/** The tests of one group, as one project: `run.ts` names the group. */
import { defineConfig } from 'vitest/config';
import { groups } from './groups.ts';

const { tests = [], sharesModules = false } = groups[process.env.MUTATION_GROUP ?? ''] ?? {};

export default defineConfig({
  test: {
    setupFiles: ['test/setup/env.ts'],
    include: tests,
    isolate: !sharesModules,
    testTimeout: 60_000,
    hookTimeout: 240_000,
  },
});
