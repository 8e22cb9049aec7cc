import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/setup/longest-first.ts';

// For the commands that tests run, as for the embedded stack (`infra/local/compile-cache.ts`).
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url));

const ofEachFile = ['test/setup/env.ts', 'test/setup/test-file.ts', 'test/setup/processor-time.ts'];
const setupFiles = ['test/setup/filled-tables.ts', ...ofEachFile];

/**
 * Modules that only compute. Node imports them itself, once for all files of a worker, which then neither
 * load nor reset them. So a mock of one of them (`vi.mock`) reaches the modules of other rooms, but none of
 * these.
 */
const pureModules = [/\/lib\/(?:model|place|sandbox|serp)\//];

/**
 * The files of a worker share the packages and the pure modules, and nothing else. Loading them is most of
 * the time of a short file.
 */
const sharingPackages = {
  isolate: false,
  setupFiles: ['test/setup/fresh-modules.ts', ...setupFiles],
  server: { deps: { external: pureModules } },
};

/**
 * The files run as Node imports them. The runner of Vite makes each use of an import a property of an object,
 * and the readers twice as slow. It is needed where files share a worker and reset modules.
 */
const native = { experimental: { viteModuleRunner: false } };

const cores = availableParallelism();

/**
 * Rungs that compute for most of their time, after those that wait for processes if both are one run. A
 * worker for each core is enough: each further one loads the packages again.
 */
const computing = { maxWorkers: Math.max(2, cores), sequence: { groupOrder: 2 } };

/**
 * The files read thousands of large pages, one after the other. With the default of Node (16 megabytes), the
 * garbage collector runs several times while a page is read, and copies its tree each time.
 */
const largePages = { execArgv: ['--max-semi-space-size=64'] };

/**
 * One vitest project for each rung of the test ladder. `npm test` runs all but these: `crash` and `refusals`
 * take minutes, `deployed` and `redeployed` need an emulator of AWS (`npm run test:emulator`), and `pages`
 * needs saved pages next to the project. The time limits only end tests that hang. They are far above what a
 * test takes on a busy machine.
 */
const rung = (name: string, testTimeout = 300_000, more = {}) => ({
  test: {
    name,
    setupFiles,
    include: [`test/${name}/**/*.test.ts`],
    testTimeout,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
    ...more,
  },
});

export default defineConfig({
  test: {
    // Twice the cores of a small machine: some files wait more than they compute.
    maxWorkers: Math.max(4, cores),
    // Tests that run at the same time wait for most of their time.
    maxConcurrency: 10,
    sequence: { sequencer: LongestFirst },
    projects: [
      rung('unit', 300_000, { ...sharingPackages, ...computing }),
      rung('contract', 300_000, sharingPackages),
      // All files share the readers, which have no state.
      rung('corpus', 300_000, { ...native, ...computing, isolate: false }),
      rung('workflow', 300_000, { ...sharingPackages, ...computing }),
      rung('simulation', 600_000, { ...native, ...computing }),
      // All files run in one context: loading CDK takes longer than most of them.
      rung('infra', 600_000, { ...native, ...computing, isolate: false }),
      rung('integration', 600_000, { ...sharingPackages, globalSetup: ['test/setup/chromium.ts'] }),
      rung('e2e', 600_000, {
        ...sharingPackages,
        globalSetup: ['test/setup/chromium.ts', 'test/e2e/shared-service.ts'],
      }),
      rung('crash', 900_000, native),
      // One for each store, because all of them wait for two minutes.
      ...['DynamoDB', 'S3', 'SQS', 'Step Functions'].map((store) =>
        rung(`refusals of ${store}`, 400_000, {
          ...native,
          include: ['test/refusals/*.test.ts'],
          // Some tables have no row for a store.
          setupFiles: ofEachFile,
          env: { REFUSE_STORE: store, REFUSE_SECONDS: '120' },
        }),
      ),
      rung('deployed', 600_000, {
        ...sharingPackages,
        globalSetup: ['test/e2e/shared-service.ts'],
        include: ['test/e2e/anywhere/*.test.ts', 'test/emulator/commands.test.ts'],
        // The emulator starts a process for a call, or ends one: a busy machine makes some calls late. The
        // same tests run without a second attempt on the embedded stack. The report names repeated tests.
        retry: 1,
      }),
      rung('redeployed', 1_200_000, {
        globalSetup: ['test/e2e/shared-service.ts'],
        include: ['test/emulator/redeploy.test.ts', 'test/emulator/rehearsal.test.ts'],
        // Run after all others: a deployment changes the stack that they test, or takes the time of both
        // cores.
        sequence: { groupOrder: 1 },
      }),
      rung('pages', 1_800_000, { ...native, ...largePages }),
    ],
  },
});
