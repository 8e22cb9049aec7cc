/** Settings of the embedded stack: defaults, and what is refused. */
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { periodMs, rateMs } from '../../../infra/local/lambda/schedules.ts';
import { unionOfEnvironments } from '../../../infra/local/local-function.ts';
import { readSettings } from '../../../infra/local/settings.ts';

const apiKey = `serp_${'0'.repeat(46)}`;

test('has the defaults of an empty environment, in which empty values are unset', () => {
  expect(readSettings({ PORT: '', SEARCH_SOURCE: '' })).toEqual({
    port: 3000,
    host: '127.0.0.1',
    dataDir: resolve('.local'),
    rateLimit: 2000,
    clockRate: 1,
    demonstration: true,
    service: {},
    secrets: {},
  });
});

test('takes what is set, and passes on the settings of the service only', () => {
  const environment = {
    PORT: '0',
    RATE_LIMIT: '0',
    CLOCK_RATE: '60',
    API_KEY: apiKey,
    GOOGLE_ORIGIN: 'http://127.0.0.1:1',
    PROXY_URL: 'http://user-{country}:{session}@proxy.example:8080',
    HOME: '/root',
    STAGE: 'prod',
  };

  expect(readSettings(environment, ['--live', '--no-demonstration'])).toMatchObject({
    port: 0,
    rateLimit: 0,
    clockRate: 60,
    apiKey,
    demonstration: false,
    service: { GOOGLE_ORIGIN: 'http://127.0.0.1:1', SEARCH_SOURCE: 'live' },
    secrets: { PROXY_URL: 'http://user-{country}:{session}@proxy.example:8080' },
  });
});

test.each([
  [{ PORT: 'http' }, [], 'PORT must be a whole number'],
  [{ PORT: '70000' }, [], 'PORT must be a whole number from 0 to 65535'],
  [{ RATE_LIMIT: '-1' }, [], 'RATE_LIMIT must be a whole number'],
  [{ CLOCK_RATE: '0' }, [], 'CLOCK_RATE must be a number above 0'],
  [{ CLOCK_RATE: 'fast' }, [], 'CLOCK_RATE must be a number above 0'],
  [{ SEARCH_SOURCE: 'mirror' }, [], 'SEARCH_SOURCE must be sandbox or live'],
  [{ GOOGLE_RATE: 'fast' }, [], 'GOOGLE_RATE must be a number of pages per second, 0 or more'],
  [{ TASK_DEADLINE: '-1' }, [], 'TASK_DEADLINE must be a number of seconds above 0'],
  [{ GOOGLE_ORIGIN: 'zz' }, [], 'GOOGLE_ORIGIN must be a URL'],
  [{ PUBLIC_URL: 'ftp://here.example' }, [], 'PUBLIC_URL must be a URL'],
  [{ PROXY_URL: 'http://user:p%zz@proxy.example' }, [], 'PROXY_URL must be a URL'],
  [{ CRASH_AT: 'lunch' }, [], 'CRASH_AT must be a crash point'],
  [{ CRASH_AT: 'before-write-rows:0' }, [], 'CRASH_AT must be a crash point'],
  [{ CRASH_AT: 'before-lunch' }, [], 'CRASH_AT must be one of before-'],
  [{ SANDBOX_MISFORTUNE: 'rain' }, [], 'SANDBOX_MISFORTUNE must be one of captcha, '],
  [{ RESOLVE_LINKS: 'sometimes' }, [], 'RESOLVE_LINKS must be always, tracking or never'],
  [
    { PORT: 'http', CLOCK_RATE: 'fast' },
    [],
    'PORT must be a whole number from 0 to 65535; CLOCK_RATE must be a number above 0',
  ],
  [{}, ['--life'], 'Unknown option --life: did you mean --live?'],
  [{}, ['--liv'], 'Unknown option --liv: did you mean --live?'],
  [{}, ['--fast'], 'Unknown option --fast: the options are --live and --no-demonstration'],
  [{ npm_config_live: 'true' }, [], 'npm took --live for itself. Write -- before the options'],
  [{ GOOGLE_RAT: '5' }, [], 'There is no setting GOOGLE_RAT: did you mean GOOGLE_RATE?'],
  [{ google_rate: '5' }, [], 'There is no setting google_rate: did you mean GOOGLE_RATE?'],
  [{ PROXYURL: 'http://proxy.example' }, [], 'There is no setting PROXYURL: did you mean PROXY_URL?'],
  [{ RESLOVE_LINK: 'never' }, [], 'There is no setting RESLOVE_LINK: did you mean RESOLVE_LINKS?'],
])('refuses %j %j', (environment, options, message) => {
  expect(() => readSettings(environment, options)).toThrow(message);
});

test.each([
  ...['HOSTNAME', 'HOSTTYPE', 'HOST_NAME', 'HOME', 'PORTS', 'POST', 'PATH', 'HOSTS', 'host', 'PWD'],
  ...[
    'HTTP_PROXY',
    'https_proxy',
    'PROXY_URLS',
    'API_KEYS',
    'APP_KEY',
    'XDG_DATA_DIRS',
    'DATADIR',
    'DATABASE_URL',
  ],
  ...['PUBLIC_KEY', 'GOOGLE_API_KEY', 'SEARXNG_ORIGIN', 'SEARXNG_RATE', 'WAFF', 'STAGE', 'npm_config_proxy'],
])('ignores the variable %s of another program', (name) => {
  expect(readSettings({ [name]: 'anything' })).toEqual(readSettings({}));
});

test('ignores a misspelt variable that is empty', () => {
  expect(readSettings({ GOOGLE_RAT: '' })).toEqual(readSettings({}));
});

test.each([
  ['rate(1 minute)', 60_000],
  ['rate(5 minutes)', 300_000],
  ['rate(2 hours)', 7_200_000],
  ['rate(1 day)', 86_400_000],
])('reads the schedule %s', (expression, expected) => {
  expect(rateMs(expression)).toBe(expected);
});

test.each([
  // The clock of the machine.
  ['rate(1 minute)', 1, 60_000],
  ['rate(1 minute)', 0.5, 120_000],
  ['rate(5 minutes)', 60, 5000],
  ['rate(1 minute)', 20, 5000],
  ['rate(1 minute)', 60, 5000],
  ['rate(5 minutes)', 600, 5000],
  // A day has 24 s, 1 s and half a second.
  ['rate(1 minute)', 3600, 2400],
  ['rate(5 minutes)', 86_400, 100],
  ['rate(1 minute)', 172_800, 100],
])(
  'a schedule %s on a clock that is %d times as fast runs every %d ms',
  (expression, clockRate, expected) => {
    expect(periodMs(expression, clockRate)).toBe(expected);
  },
);

test.each(['cron(0 12 * * ? *)', 'rate(1 fortnight)', 'rate(minute)'])(
  'refuses the schedule %s',
  (expression) => {
    expect(() => rateMs(expression)).toThrow(expression);
  },
);

const fn = (entry: string, environment: Record<string, string>) => ({
  name: entry,
  arn: entry,
  entry,
  timeoutMs: 1,
  memoryMb: 128,
  architecture: 'arm64' as const,
  isReported: false,
  environment,
});

test('merges the environments of functions, and refuses different values of one name', () => {
  expect(
    unionOfEnvironments([fn('a', { STAGE: 'local', A: '1' }), fn('b', { STAGE: 'local', B: '2' })]),
  ).toEqual({
    STAGE: 'local',
    A: '1',
    B: '2',
  });
  expect(() => unionOfEnvironments([fn('a', { A: '1' }), fn('b', { A: '2' })])).toThrow(
    'a and b have different values of A',
  );
});
