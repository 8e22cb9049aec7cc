/** The differences between stages, and the settings that an operator may give at deployment. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { sharesOf } from '../../infra/stages.ts';
import { resourcesOf, stacksOf, templateOf, withApp } from './template.ts';

const variable = (stage: string, name: string): unknown[] =>
  resourcesOf(templateOf(stage), 'AWS::Lambda::Function').flatMap(({ properties }) => {
    const { Variables } = properties.Environment as { Variables: Record<string, unknown> };
    return name in Variables ? [Variables[name]] : [];
  });

test.each([
  ['local', 'sandbox'],
  ['localstack', 'sandbox'],
  ['rehearsal', 'sandbox'],
  ['dev', 'live'],
  ['prod', 'live'],
])('the functions of %s have their stage and the search source %s in the environment', (stage, source) => {
  expect(new Set(variable(stage, 'SEARCH_SOURCE'))).toEqual(new Set([source]));
  // The stage decides whether webhooks may go to loopback (Reading 36): only in `local` and `localstack`.
  expect(new Set(variable(stage, 'STAGE'))).toEqual(new Set([stage]));
});

test.each(['dev', 'prod'])(
  'no setting makes %s report results of the sandbox as results of an engine',
  (stage) => {
    const given = (context: Record<string, string>) => () => templateOf(stage, context);

    expect(given({ SEARCH_SOURCE: 'sandbox' })).toThrow('SEARCH_SOURCE comes with the stage: choose one');
    expect(given({ STAGE: 'local' })).toThrow('There is no setting STAGE: did you mean stage?');
    expect(given({ GOOGLE_ORIGIN: 'http://127.0.0.1:8080' })).toThrow(
      `GOOGLE_ORIGIN is for rehearsals: ${stage}`,
    );
    expect(given({ SANDBOX_MISFORTUNE: 'empty' })).toThrow(`SANDBOX_MISFORTUNE is for rehearsals: ${stage}`);
  },
);

test('an environment that Lambda would refuse for its size is refused before the deployment', () => {
  const origins = (count: number) => ({
    CORS_ORIGINS: Array.from({ length: count }, (_, index) => `https://app-${index}.example.com`).join(','),
  });

  expect(() => templateOf('prod', origins(20))).not.toThrow();
  expect(() => templateOf('prod', origins(200))).toThrow(
    /^The environment of \w+ would have \d+ bytes, and Lambda takes 4096\. Make CORS_ORIGINS shorter: it has \d+ bytes\.$/,
  );
});

test('the stage localstack accepts an origin and a misfortune', () => {
  const context = { GOOGLE_ORIGIN: 'http://127.0.0.1:8080', SANDBOX_MISFORTUNE: 'empty' };
  const template = JSON.stringify(templateOf('localstack', context));

  expect(template).toContain('"GOOGLE_ORIGIN":"http://127.0.0.1:8080"');
  expect(template).toContain('"SANDBOX_MISFORTUNE":"empty"');
  expect(() => templateOf('localstack', { GOOGLE_ORIGIN: 'mirror.example.com' })).toThrow(
    'GOOGLE_ORIGIN must be a URL',
  );
});

test('RESOLVE_LINKS reaches the functions that judge pages, and is empty by default; an unknown value is refused', () => {
  const found = (context: Record<string, string>) =>
    resourcesOf(templateOf('dev', context), 'AWS::Lambda::Function').flatMap(({ metadata, properties }) => {
      const { Variables } = properties.Environment as { Variables: Record<string, string> };
      return 'RESOLVE_LINKS' in Variables ? [[metadata.Entry, Variables.RESOLVE_LINKS]] : [];
    });

  expect(found({ RESOLVE_LINKS: 'tracking' })).toEqual([
    ['functions/crawl/fetch-page.ts', 'tracking'],
    ['functions/crawl/fetch-pages.ts', 'tracking'],
    ['functions/crawl/render-page.ts', 'tracking'],
    ['functions/crawl/collect-pages.ts', 'tracking'],
  ]);
  expect(found({}).map(([, value]) => value)).toEqual(['', '', '', '']);
  expect(() => templateOf('dev', { RESOLVE_LINKS: 'sometimes' })).toThrow(
    'RESOLVE_LINKS must be always, tracking or never',
  );
});

test('GOOGLE_RATE reaches the functions that pace requests, rest fetchers or show their state; a value that is not a number is refused', () => {
  const template = templateOf('dev', { GOOGLE_RATE: '7.5' });
  const found = resourcesOf(template, 'AWS::Lambda::Function').filter(({ properties }) =>
    JSON.stringify(properties).includes('"GOOGLE_RATE":"7.5"'),
  );

  expect(found.map(({ metadata }) => String(metadata.Entry)).sort()).toEqual([
    // A live call takes its turn itself.
    'functions/api/serp.ts',
    'functions/api/status.ts',
    'functions/crawl/fetch-page.ts',
    'functions/crawl/fetch-pages.ts',
    'functions/crawl/render-page.ts',
    'functions/crawl/start-crawl.ts',
  ]);
  expect(() => templateOf('dev', { GOOGLE_RATE: 'fast' })).toThrow(
    'GOOGLE_RATE must be a number of pages per second, 0 or more',
  );
});

test("PUBLIC_URL is the operator's address, else the gateway's for scheduled functions, which no request tells", () => {
  const found = (stage: string, context: Record<string, string>) => [
    ...new Set(
      resourcesOf(templateOf(stage, context), 'AWS::Lambda::Function').flatMap(({ properties }) => {
        const { Variables } = properties.Environment as { Variables: Record<string, unknown> };
        return 'PUBLIC_URL' in Variables ? [JSON.stringify(Variables.PUBLIC_URL)] : [];
      }),
    ),
  ];

  const emulator = { AWS_ENDPOINT_URL: 'http://127.0.0.1:4000' };
  expect(found('localstack', emulator)).toEqual([
    expect.stringMatching(
      /"http:\/\/127.0.0.1:4000\/restapis\/",\{"Ref":"Api\w+"\},"\/localstack\/_user_request_"/,
    ),
  ]);
  expect(found('localstack', {})).toEqual([expect.stringContaining('"http://localhost:4566/restapis/"')]);
  expect(found('localstack', { ...emulator, PUBLIC_URL: 'http://here.example' })).toEqual([
    '"http://here.example"',
  ]);
  expect(found('prod', emulator)).toEqual([
    '""',
    expect.stringMatching(/\{"Ref":"Api\w+"\},"\.execute-api\./),
  ]);
});

test('refuses an unknown stage and names the stages', () => {
  expect(() => templateOf('production')).toThrow('stage must be local, localstack, rehearsal, dev or prod');
});

describe('a key of the context that is not a setting', () => {
  const given = (context: Record<string, unknown>) => () =>
    withApp({ stage: 'dev', context }, (app) => app.node.getAllContext());

  test.each([
    ['GOOGLE_RAT', 'GOOGLE_RATE'],
    ['google_rate', 'GOOGLE_RATE'],
    ['GOOGEL_ORIGN', 'GOOGLE_ORIGIN'],
    ['Stage', 'stage'],
    ['WAFF', 'WAF'],
    ['CONCURENCY', 'CONCURRENCY'],
    ['domain-name', 'DOMAIN_NAME'],
  ])('is refused: %s, with the nearest setting %s', (name, meant) => {
    expect(given({ [name]: '5' })).toThrow(`There is no setting ${name}: did you mean ${meant}?`);
  });

  test('is refused with all settings of a deployment if none is near', () => {
    expect(given({ SEARXNG_ORIGIN: 'http://127.0.0.1' })).toThrow(
      /^There is no setting SEARXNG_ORIGIN\. The settings of a deployment are:\n.*\n {2}stage: The stage that is deployed/s,
    );
    expect(given({ SEARXNG_ORIGIN: 'http://127.0.0.1' })).not.toThrow(/CLOCK_RATE/);
  });

  test.each([
    ...['aws:cdk:enable-path-metadata', '@aws-cdk/core:stackRelativeExports', 'aws-cdk:enableDiffNoFail'],
    ...[
      'availability-zones:account=123456789012:region=eu-west-1',
      'hosted-zone:account=1:domainName=example.com',
    ],
    ...['cli-telemetry', 'acknowledged-issue-numbers', 'AWS_ENDPOINT_URL'],
  ])('is accepted if CDK itself or the app sets it: %s', (key) => {
    expect(given({ [key]: 'false' })).not.toThrow();
  });
});

describe('a setting in the wrong place', () => {
  test.each([
    [{ PORT: '3000' }, 'PORT is a setting of npm start: a deployment does not read it'],
    [{ CRASH_AT: 'before-write-rows' }, 'CRASH_AT is a setting of npm start'],
    [{ SEARCH_SOURCE: 'live' }, 'SEARCH_SOURCE comes with the stage: choose one with --context stage=…'],
  ])('%j is refused by every stage', (context, message) => {
    for (const stage of ['localstack', 'prod']) {
      expect(() => templateOf(stage, context)).toThrow(message);
    }
  });

  test('is accepted if it is empty', () => {
    expect(withApp({ stage: 'prod', context: { PORT: '', GOOGLE_ORIGIN: '' } }, () => 'made')).toBe('made');
  });
});

test('a value of the context may be a number, but not a list', () => {
  const variables = (context: Record<string, unknown>) =>
    withApp({ stage: 'dev', context }, (app) =>
      JSON.stringify(app.synth().stacks.map(({ template }) => template)),
    );

  expect(variables({ GOOGLE_RATE: 7.5 })).toContain('"GOOGLE_RATE":"7.5"');
  expect(() => variables({ GOOGLE_RATE: [7.5] })).toThrow(
    'GOOGLE_RATE must be one value, not a list or an object',
  );
});

test('all stacks are tagged with the service and the stage', () => {
  expect(Object.values(stacksOf('prod')).map(({ tags }) => tags)).toEqual([
    { service: 'search-ranking', stage: 'prod' },
    { service: 'search-ranking', stage: 'prod' },
    { service: 'search-ranking', stage: 'prod' },
  ]);
});

test('the outputs contain the names that commands and operators need', () => {
  expect(Object.keys(templateOf('prod').Outputs)).toEqual(
    expect.arrayContaining([
      ...['ApiUrl', 'ApiId', 'UsersTable', 'TasksTable', 'LimitsTable', 'BucketName'],
      ...['ParkedDeliveriesUrl', 'Stage'],
    ]),
  );
});

test.each([
  // Nothing is reserved, so the areas count together.
  ['10', { all: ['2', '5'] }],
  ['200', { serp: ['2', '10'], keyword: ['1', '3'], mcp: ['1', '3'], compat: ['1', '2'] }],
  ['1000', { serp: ['10', '50'], keyword: ['3', '15'], mcp: ['3', '15'], compat: ['2', '10'] }],
  ['10000', { serp: ['50', '500'], keyword: ['30', '150'], mcp: ['30', '150'], compat: ['20', '100'] }],
])(
  'with CONCURRENCY=%s, requests that wait leave at least half of the functions to others',
  (CONCURRENCY, expected) => {
    const template = templateOf('prod', { CONCURRENCY });
    const waits = resourcesOf(template, 'AWS::Lambda::Function').flatMap(({ properties }) => {
      const { Variables } = properties.Environment as { Variables: Record<string, string> };
      return Variables.WAITS ? [[Variables.AREA, [Variables.WAITS_PER_USER, Variables.WAITS]]] : [];
    });

    expect(Object.fromEntries(waits)).toEqual(expected);
  },
);

test.each([10, 20, 50, 100, 128, 129, 200, 500, 1000, 5000, 10_000])(
  'with CONCURRENCY=%i, no user takes more than half of the waits, and half of the functions never wait',
  (functions) => {
    const { waits, reserved } = sharesOf(functions);
    for (const [area, { perUser, all }] of Object.entries(waits ?? {})) {
      if (!['serp', 'keyword', 'mcp', 'compat'].includes(area)) continue;
      expect(perUser).toBeGreaterThanOrEqual(1);
      // Of two or three reserved functions, one waits.
      expect(2 * perUser).toBeLessThanOrEqual(Math.max(all, 2));
      expect(2 * all).toBeLessThanOrEqual(reserved?.[area as keyof typeof reserved] ?? functions);
    }
  },
);

type Shares = ReturnType<typeof sharesOf>;

const document = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');

test('docs/api/limits.md names the waits of the usual 1,000 functions', () => {
  const { serp, keyword, mcp, compat } = sharesOf(1000).waits ?? {};

  expect(document('api/limits.md')).toContain(
    `with the usual 1,000 functions ${serp?.perUser} for searches, ${keyword?.perUser} for keyword data, ` +
      `${mcp?.perUser} for agents, ${compat?.perUser} for the forms of other services`,
  );
});

test.each([
  [
    'consumers of the queues of searches, webhooks and slow webhooks',
    (of: Shares) => [of.crawlConcurrency, of.postbackConcurrency, of.patientConcurrency].join(', '),
  ],
  ['pages of one search that are fetched at a time', (of: Shares) => String(of.pagesInParallel)],
  [
    'requests per second that the gateway accepts, and requests at one instant',
    (of: Shares) => `${of.requestRate.toLocaleString('en-US')}, ${of.requestBurst}`,
  ],
])('docs/deploy.md divides CONCURRENCY as the code does: %s', (part, shown) => {
  expect(document('deploy.md')).toContain(
    `| ${part} | ${shown(sharesOf(10))} | ${shown(sharesOf(1000))} |\n`,
  );
});

test('docs/deploy.md names the reserved parts and the waits of the usual 1,000 functions', () => {
  const { reserved, waits } = sharesOf(1000);
  const least = Array.from({ length: 1000 }, (_, n) => n).find((functions) => sharesOf(functions).reserved);
  const { serp, keyword, mcp, compat } = waits ?? {};
  const few = sharesOf(10).waits?.keyword;

  expect(document('deploy.md')).toContain(
    `| nothing | ${reserved?.serp} for searches, ${reserved?.keyword} for keyword data, ${reserved?.mcp} for agents, ` +
      `${reserved?.compat} for the forms of other services, ${reserved?.reporting} each for reporting, accounts, the status and the documentation |`,
  );
  expect(document('deploy.md')).toContain(
    `| ${few?.perUser} and ${few?.all}, all together | ` +
      `${[serp, keyword, mcp, compat].map((area) => `${area?.perUser} and ${area?.all}`).join('; ')} |`,
  );
  expect(document('deploy.md')).toContain(`a reserved part from \`CONCURRENCY=${least}\` on`);
});
