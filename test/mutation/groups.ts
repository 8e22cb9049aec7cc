/** The tests for the mutants of each folder. A mutant runs only the tests that reach it. */

export const groups: Record<string, { mutate: string[]; tests: string[] }> = {
  access: {
    mutate: ['lib/access/*.ts'],
    tests: ['test/unit/access/*.test.ts', 'test/integration/access/*.test.ts'],
  },
  keyword: {
    mutate: ['lib/keyword/**/*.ts'],
    tests: ['test/unit/keyword/**/*.test.ts'],
  },
  net: {
    mutate: ['lib/net/address*.ts', 'lib/net/guard*.ts'],
    tests: ['test/unit/net/{address,guard,network-error}.test.ts'],
  },
  pace: {
    mutate: ['lib/pace/*.ts'],
    tests: ['test/unit/pace/*.test.ts', 'test/integration/pace/*.test.ts'],
  },
  postback: {
    mutate: ['lib/postback/*.ts'],
    tests: ['test/unit/postback/*.test.ts', 'test/integration/postback/*.test.ts'],
  },
  provider: {
    mutate: ['lib/provider/**/*.ts', '!lib/provider/sandbox.ts', 'lib/model/market.ts'],
    tests: ['test/unit/provider/*.test.ts'],
  },
  serp: {
    mutate: ['lib/serp/tracking*.ts', 'lib/serp/verdict*.ts', 'lib/serp/google/verdict*.ts'],
    tests: ['test/unit/serp/tracking.test.ts', 'test/unit/serp/google/verdict.test.ts'],
  },
  task: {
    mutate: ['lib/task/*.ts'],
    // Not the property-based tests: they generate other cases in each run, and need a minute to find the smallest one that fails.
    tests: ['test/unit/task/*.test.ts', 'test/integration/task/!(effectively-once|interleavings).test.ts'],
  },
};
