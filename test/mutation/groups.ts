/** The tests for the mutants of each folder. A mutant runs only the tests that reach it. */

type Group = {
  mutate: string[];
  tests: string[];
  /**
   * The files of its tests share loaded modules: loading them anew for each file takes longer than its tests.
   * Only for tests that share no state, and that replace a module in the same way.
   */
  sharesModules?: true;
};

export const groups: Record<string, Group> = {
  access: {
    mutate: ['lib/access/*.ts'],
    tests: ['test/unit/access/*.test.ts'],
  },
  'keyword-ads': {
    mutate: ['lib/keyword/*.ts', 'lib/keyword/ads/*.ts'],
    tests: [
      'test/unit/keyword/*.test.ts',
      'test/unit/keyword/ads/*.test.ts',
      // They have the requests and the choice of a source of either kind.
      'test/unit/keyword/web/{send-request,source}.test.ts',
    ],
    sharesModules: true,
  },
  'keyword-web': {
    mutate: ['lib/keyword/web/*.ts'],
    tests: ['test/unit/keyword/web/*.test.ts'],
    sharesModules: true,
  },
  // Of lib/net, not what starts or drives Chromium (`browser`, `browser-arguments`, `chromium`,
  // `render-html`): each mutant would need a start of it.
  net: {
    mutate: ['lib/net/address*.ts', 'lib/net/guard*.ts'],
    tests: ['test/unit/net/{address,guard,network-error}.test.ts'],
  },
  'net-content': {
    mutate: [
      'lib/net/{basic-credentials,charset,content-coding,cookie-jar,deadline,mail,network-error,origin}*.ts',
    ],
    tests: [
      'test/unit/net/{basic-credentials,charset,content-coding,cookie-jar,deadline,mail,network-error,origin}.test.ts',
    ],
  },
  'net-out': {
    mutate: ['lib/net/{ask-location,call-api,connector,get-html,read-answer,refuse-part,way-out}.ts'],
    tests: [
      'test/unit/net/way-out.test.ts',
      'test/integration/net/{ask-location,call-api,connector,get-html*}.test.ts',
    ],
  },
  'net-names': {
    mutate: ['lib/net/resolve-name.ts'],
    tests: ['test/unit/net/resolve-name.test.ts'],
  },
  'net-post': {
    mutate: ['lib/net/post.ts'],
    tests: ['test/integration/net/post.test.ts'],
  },
  'net-page': {
    mutate: ['lib/net/{ask-in-page,emulate,intercept,page-document,page-proxy,page-relay}.ts'],
    tests: ['test/unit/net/{ask-in-page,emulate,intercept,page-document,page-proxy,page-relay}.test.ts'],
  },
  pace: {
    mutate: ['lib/pace/*.ts'],
    // Not those with long lines, which take ten times as long as all others.
    tests: ['test/unit/pace/!(long-line).test.ts'],
    sharesModules: true,
  },
  postback: {
    mutate: ['lib/postback/!(chat-message|mail-message|policy|v2-payload).ts'],
    tests: ['test/unit/postback/!(chat-message|mail-message|policy|v2-payload).test.ts'],
  },
  // On their own, because they are pure: their tests load neither stores nor clients of AWS.
  'postback-rules': {
    mutate: ['lib/postback/{chat-message,mail-message,policy,v2-payload}.ts'],
    tests: ['test/unit/postback/{chat-message,mail-message,policy,v2-payload}.test.ts'],
    sharesModules: true,
  },
  provider: {
    mutate: ['lib/provider/**/*.ts', '!lib/provider/sandbox.ts', 'lib/model/market.ts'],
    tests: [
      'test/unit/provider/*.test.ts',
      'test/unit/model/market.test.ts',
      'test/unit/keyword/ads/token.test.ts',
      'test/unit/keyword/web/source.test.ts',
    ],
    sharesModules: true,
  },
  'reporting-report': {
    mutate: [
      'lib/reporting/!(continue-import|find|leave-search|new-*|write-keywords).ts',
      'lib/reporting/report/!(read-chart|read-report|summary).ts',
    ],
    tests: [
      'test/unit/reporting/!(continue-import|find|leave-search|new-*|write-keywords).test.ts',
      'test/unit/reporting/report/!(read-chart|read-report|summary).test.ts',
    ],
    sharesModules: true,
  },
  // On their own, because their tests replace what those of the others use, or the reverse.
  'reporting-find': {
    mutate: [
      'lib/reporting/{continue-import,find,leave-search,new-ids}.ts',
      'lib/reporting/report/{read-chart,read-report,summary}.ts',
    ],
    tests: [
      'test/unit/reporting/{continue-import,find,leave-search,new-ids}.test.ts',
      'test/unit/reporting/report/{read-chart,read-report,summary,visibility}.test.ts',
    ],
  },
  'reporting-manage': {
    // The keywords that it adds are made and written by two files of the folder above.
    mutate: ['lib/reporting/manage/*.ts', 'lib/reporting/{new-keyword,write-keywords}.ts'],
    tests: ['test/unit/reporting/manage/*.test.ts', 'test/unit/reporting/write-keywords.test.ts'],
  },
  'reporting-run': {
    mutate: ['lib/reporting/run/!(check-time|find-changes|lacks-volumes|read-*).ts'],
    tests: ['test/unit/reporting/run/!(find-changes|read-*|times).test.ts'],
  },
  // On their own, because they are pure: their tests load neither stores nor clients of AWS.
  'reporting-run-rules': {
    mutate: ['lib/reporting/run/{check-time,find-changes,lacks-volumes,read-owners,read-position}.ts'],
    tests: ['test/unit/reporting/run/{find-changes,read-owners,read-position,times}.test.ts'],
    sharesModules: true,
  },
  task: {
    mutate: [
      'lib/task/!(deadline|final-write|id|kinds|lease|new-batch|new-task|progress|status|timing|webhook-waits).ts',
    ],
    // Not the integration tests: each would start tables for each mutant.
    tests: ['test/unit/task/!(deadline|final-write|id|kinds|lease|new-task|status|webhook-waits).test.ts'],
  },
  // On their own, because they are pure: their tests load neither stores nor clients of AWS.
  'task-rules': {
    mutate: [
      'lib/task/{deadline,final-write,id,kinds,lease,new-batch,new-task,progress,status,timing,webhook-waits}.ts',
    ],
    tests: ['test/unit/task/{deadline,final-write,id,kinds,lease,new-task,status,webhook-waits}.test.ts'],
    sharesModules: true,
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
    mutate: ['lib/serp/google/verdict*.ts', 'lib/serp/{verdict,web-rules}.ts'],
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
