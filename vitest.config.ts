import { defineConfig } from 'vitest/config';

/**
 * One project a rung of the test ladder. `npm test` runs all but `crash`, which takes minutes, `deployed` and `redeployed`, which run
 * against an emulator of AWS (`npm run test:emulator`), and `pages`, which reads real pages from beside the project.
 * Time limits are for what hangs: a busy machine is far from them.
 */
const rung = (name: string, testTimeout = 30_000, more = {}) => ({
  test: {
    name,
    setupFiles: ['test/setup/env.ts'],
    include: [`test/${name}/**/*.test.ts`],
    testTimeout,
    hookTimeout: 240_000,
    ...more,
  },
});

export default defineConfig({
  test: {
    // One more than the cores of a small machine: tests wait as much as they work.
    maxWorkers: 3,
    projects: [
      rung('unit'),
      rung('contract'),
      rung('corpus'),
      rung('workflow', 60_000),
      // Together: these files read what CDK makes, and loading CDK costs more than most of them.
      rung('infra', 120_000, { isolate: false }),
      rung('integration', 120_000),
      rung('e2e', 120_000, { globalSetup: ['test/e2e/shared-service.ts'] }),
      rung('crash', 300_000),
      rung('deployed', 120_000, {
        globalSetup: ['test/e2e/shared-service.ts'],
        include: ['test/e2e/anywhere/*.test.ts', 'test/emulator/commands.test.ts'],
      }),
      rung('redeployed', 240_000, {
        globalSetup: ['test/e2e/shared-service.ts'],
        include: ['test/emulator/redeploy.test.ts'],
        // After all others: a deployment changes what they look at.
        sequence: { groupOrder: 1 },
      }),
      rung('pages', 300_000),
    ],
  },
});
