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
  // Not the rest of lib/net: connections, proxies and pages in a browser need a server or a browser for each
  // mutant.
  net: {
    mutate: ['lib/net/address*.ts', 'lib/net/guard*.ts'],
    tests: ['test/unit/net/{address,guard,network-error}.test.ts'],
  },
  'net-content': {
    mutate: ['lib/net/{charset,content-coding,cookie-jar,deadline,network-error,origin}*.ts'],
    tests: ['test/unit/net/{charset,content-coding,cookie-jar,deadline,network-error,origin}.test.ts'],
  },
  pace: {
    mutate: ['lib/pace/*.ts'],
    tests: ['test/unit/pace/*.test.ts'],
  },
  postback: {
    mutate: ['lib/postback/*.ts'],
    tests: ['test/unit/postback/*.test.ts', 'test/integration/postback/*.test.ts'],
  },
  provider: {
    mutate: ['lib/provider/**/*.ts', '!lib/provider/sandbox.ts', 'lib/model/market.ts'],
    tests: [
      'test/unit/provider/*.test.ts',
      'test/unit/model/market.test.ts',
      'test/unit/keyword/ads/token.test.ts',
      'test/unit/keyword/web/source.test.ts',
    ],
  },
  'reporting-report': {
    mutate: ['lib/reporting/*.ts', 'lib/reporting/report/*.ts'],
    tests: ['test/unit/reporting/*.test.ts', 'test/unit/reporting/report/*.test.ts'],
  },
  'reporting-manage': {
    mutate: ['lib/reporting/manage/*.ts'],
    tests: ['test/unit/reporting/manage/*.test.ts'],
  },
  'reporting-run': {
    mutate: ['lib/reporting/run/*.ts'],
    tests: ['test/unit/reporting/run/*.test.ts'],
  },
  task: {
    mutate: ['lib/task/*.ts'],
    // Not the property-based tests: they generate other cases in each run, and need a minute to find the
    // smallest one that fails. Not the sweeps of 100,000 tasks either.
    tests: [
      'test/unit/task/*.test.ts',
      'test/integration/task/!(effectively-once|interleavings|sweep-model).test.ts',
    ],
  },
  tracking: {
    mutate: ['lib/serp/tracking*.ts'],
    tests: ['test/unit/serp/tracking.test.ts'],
  },
  // One group for each engine: a mutant outside of functions runs all tests of its group.
  'verdict-bing': {
    mutate: ['lib/serp/bing/verdict*.ts', 'lib/serp/list/verdict*.ts'],
    tests: ['test/unit/serp/bing/verdict.test.ts'],
  },
  'verdict-google': {
    mutate: ['lib/serp/google/verdict*.ts', 'lib/serp/verdict*.ts'],
    tests: ['test/unit/serp/google/verdict.test.ts'],
  },
  'verdict-yahoo': {
    mutate: ['lib/serp/yahoo/verdict*.ts'],
    tests: ['test/unit/serp/yahoo/verdict.test.ts'],
  },
  'verdict-youtube': {
    mutate: ['lib/serp/youtube/verdict*.ts'],
    tests: ['test/unit/serp/youtube/verdict.test.ts'],
  },
};
