/** The rows of the settings: what each accepts, what it refuses, and with which message. */
import { describe, expect, test } from 'vitest';
import { engineNames } from '../../../lib/model/engine.ts';
import {
  checkSetting,
  type EngineSetting,
  engineSetting,
  engineSettings,
  type Place,
  type SettingName,
  settingNames,
  settingOf,
  settingValue,
} from '../../../lib/model/settings.ts';

const certificate = 'arn:aws:acm:eu-west-1:123456789012:certificate/7e7a28d2-163f-4b8f-b9cd-822f96c08d6a';
const webUrl = 'must be a URL that begins with http:// or https://';

type Case = { good: string[]; bad: string[]; message: string };

/** The rows that every engine has. */
const ofEngines = Object.fromEntries(
  engineNames.flatMap((engine): [EngineSetting, Case][] => {
    const [origin, rate] = [engineSetting(engine, 'ORIGIN'), engineSetting(engine, 'RATE')];
    return [
      [
        origin,
        {
          good: ['http://127.0.0.1:8080', 'https://mirror.example.com'],
          bad: ['zz', 'mirror.example.com', 'file:///etc/hosts'],
          message: `${origin} ${webUrl}`,
        },
      ],
      [
        rate,
        {
          good: ['0', '0.02', '7.5', '1000'],
          bad: ['fast', '-1', 'Infinity', '1/s', ' '],
          message: `${rate} must be a number of pages per second, 0 or more`,
        },
      ],
    ];
  }),
) as Record<EngineSetting, Case>;

const ofSource = (name: 'SUGGEST' | 'TRENDS'): Record<string, Case> => ({
  [`${name}_ORIGIN`]: {
    good: ['http://127.0.0.1:4000', 'https://mirror.example.com'],
    bad: ['zz', 'mirror.example.com', 'file:///etc/hosts'],
    message: `${name}_ORIGIN ${webUrl}`,
  },
  [`${name}_RATE`]: {
    good: ['0', '0.5', '20'],
    bad: ['fast', '-1', 'Infinity', ' '],
    message: `${name}_RATE must be a number of calls per second, 0 or more`,
  },
  [`${name}_CACHE`]: {
    good: ['0', '3600', '604800'],
    bad: ['-1', '1.5', '604801', 'hour'],
    message: `${name}_CACHE must be a whole number of seconds from 0 to 604800`,
  },
});

type SourceSetting = `${'SUGGEST' | 'TRENDS'}_${'ORIGIN' | 'RATE' | 'CACHE'}`;
const ofSources = { ...ofSource('SUGGEST'), ...ofSource('TRENDS') } as Record<SourceSetting, Case>;

const choiceOf = (name: string, good: string): Case => ({
  good: [good],
  bad: ['Google Ads', '-ads', 'google_ads', '7'],
  message: `${name} must be the name of a source, such as ${good}`,
});

const ofChoices = {
  VOLUMES_SOURCE: choiceOf('VOLUMES_SOURCE', 'google-ads'),
  SUGGEST_SOURCE: choiceOf('SUGGEST_SOURCE', 'engines'),
  TRENDS_SOURCE: choiceOf('TRENDS_SOURCE', 'google-trends'),
};

const cases: Record<SettingName, Case> = {
  ...ofEngines,
  ...ofSources,
  ...ofChoices,
  ADS_ORIGIN: {
    good: ['http://127.0.0.1:9000', 'https://ads.example.com'],
    bad: ['zz', 'ads.example.com'],
    message: `ADS_ORIGIN ${webUrl}`,
  },
  ADS_RATE: {
    good: ['0', '0.5', '1'],
    bad: ['fast', '-1', 'Infinity'],
    message: 'ADS_RATE must be a number of calls per second, 0 or more',
  },
  ADS_VERSION: {
    good: ['v26', 'v100'],
    bad: ['26', 'v26.1', 'V26'],
    message: 'ADS_VERSION must be a version of the Google Ads API, such as v26',
  },
  METRICS_HOURS: {
    good: ['0', '24', '0.5'],
    bad: ['a day', '-1', 'Infinity'],
    message: 'METRICS_HOURS must be a number of hours, 0 or more',
  },
  GOOGLE_ADS_CREDENTIALS: {
    good: [
      '{"client_id":"a","client_secret":"b","refresh_token":"1//c","customer_id":"123-456-7890","login_customer_id":"1"}',
    ],
    bad: ['a:b', '{}', '{"client_id":"a","client_secret":"b","refresh_token":"c","customer_id":"me"}'],
    message:
      'GOOGLE_ADS_CREDENTIALS must be a JSON object with client_id, client_secret, refresh_token and customer_id',
  },
  PORT: {
    good: ['0', '3000', '65535'],
    bad: ['http', '-1', '3000.5', '65536', '3000 '],
    message: 'PORT must be a whole number from 0 to 65535',
  },
  HOST: {
    good: ['127.0.0.1', 'localhost', '::1', 'fe80::1%eth0', '0.0.0.0'],
    bad: ['http://localhost', 'local host'],
    message: 'HOST must be an IP address or a host name',
  },
  DATA_DIR: {
    good: ['.local', '/var/lib/my data'],
    bad: ['a\0b'],
    message: 'DATA_DIR must be the path of a folder',
  },
  API_KEY: {
    good: [`serp_${'aZ9'.repeat(15)}0`],
    bad: ['nope', `serp_${'a'.repeat(45)}`, `serp_${'a'.repeat(45)}-`, ` serp_${'a'.repeat(46)}`],
    message: 'API_KEY must be a key of this service: serp_ and 46 letters or digits',
  },
  WEBHOOK_SECRET: {
    good: ['whsec_c2VjcmV0', 'whsec_c2VjcmU='],
    bad: ['secret', 'whsec_', 'whsec_not base64'],
    message: 'WEBHOOK_SECRET must be whsec_ followed by base64',
  },
  RATE_LIMIT: {
    good: ['0', '1000000'],
    bad: ['-1', '1.5', '1000001', 'none'],
    message: 'RATE_LIMIT must be a whole number from 0 to 1000000',
  },
  CLOCK_RATE: {
    good: ['1', '0.5', '600'],
    bad: ['0', '-1', 'fast', 'Infinity', ' '],
    message: 'CLOCK_RATE must be a number above 0',
  },
  CRASH_AT: {
    good: ['before-write-rows', 'after-move-to-dead_letter:3'],
    bad: ['lunch', 'before-write-rows:0', 'before-'],
    message:
      'CRASH_AT must be a crash point, such as before-write-rows, or before-write-rows:3 for the third time',
  },
  SEARCH_SOURCE: {
    good: ['sandbox', 'live'],
    bad: ['mirror', 'Live'],
    message: 'SEARCH_SOURCE must be sandbox or live',
  },
  PUBLIC_URL: {
    good: ['http://127.0.0.1:3000', 'https://api.example.com/v/'],
    bad: ['ftp://here.example', 'api.example.com', '/v'],
    message: `PUBLIC_URL ${webUrl}`,
  },
  MAIL_FROM: {
    good: ['reports@example.com'],
    bad: ['reports', 'Reports <reports@example.com>', 'reports@example.com\nBcc: a@example.com'],
    message: 'MAIL_FROM must be an e-mail address, such as reports@example.com',
  },
  MAIL_TO_DOMAINS: {
    good: ['example.com', 'example.com,agency.example'],
    bad: ['*', 'a@example.com', 'example.com, agency.example', 'example.com,'],
    message: 'MAIL_TO_DOMAINS must be domains, such as example.com,agency.example',
  },
  CORS_ORIGINS: {
    good: ['https://app.example.com', 'https://app.example.com,http://localhost:5173'],
    bad: [
      '*',
      'null',
      'app.example.com',
      'https://app.example.com/',
      'https://a.example, https://b.example',
      'https://A.example',
    ],
    message: 'CORS_ORIGINS must be origins, such as https://app.example.com,https://www.example.com',
  },
  TASK_DEADLINE: {
    good: ['5', '0.5', '21600', '82800'],
    // The service would keep no task that ends after a day.
    bad: ['0', '-1', 'soon', 'Infinity', '82801', '86400'],
    message: 'TASK_DEADLINE must be a number of seconds above 0, and at most 82800',
  },
  FETCH_OVERVIEWS: {
    good: ['always', 'tracking', 'never'],
    bad: ['sometimes', 'Always'],
    message: 'FETCH_OVERVIEWS must be always, tracking or never',
  },
  RESOLVE_LINKS: {
    good: ['always', 'tracking', 'never'],
    bad: ['sometimes', 'Never'],
    message: 'RESOLVE_LINKS must be always, tracking or never',
  },
  SANDBOX_MISFORTUNE: {
    good: ['captcha', 'http_429'],
    bad: ['rain', 'toString'],
    message:
      'SANDBOX_MISFORTUNE must be one of captcha, script_wall, consent, soft_block, slow, cut, reset, decoy, empty, canned, ' +
      'opaque_links, drift, http_500, http_429',
  },
  PROXY_URL: {
    good: [
      'http://user-{country}:{session}@proxy.example:8080',
      'https://proxy.example',
      '{"default":"https://proxy.example","homes":"http://user-{country}@homes.example"}',
    ],
    bad: [
      'http://user:p%zz@proxy.example',
      'proxy.example:8080',
      'socks5://proxy.example',
      '{}',
      '{"homes":"socks5://proxy.example"}',
      '{"none":"http://proxy.example"}',
    ],
    message: `PROXY_URL ${webUrl}, or a JSON object of such URLs by name`,
  },
  PROXY_CA: {
    good: ['-----BEGIN CERTIFICATE-----\nMIIB\nzDCC==\n-----END CERTIFICATE-----\n'],
    bad: ['MIIB', 'ca.pem', '-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----'],
    message: 'PROXY_CA must be a certificate in PEM: it begins with -----BEGIN CERTIFICATE-----',
  },
  UPSTREAM_CREDENTIALS: {
    good: ['clerk@example.com:sesame', 'clerk:a:b'],
    bad: ['clerk', ':sesame', 'clerk:', 'clerk: sesame', 'clerk:open sesame'],
    message: 'UPSTREAM_CREDENTIALS must be the login and the password of the API, with a colon between them',
  },
  UPSTREAM_ORIGIN: {
    good: ['https://api.example', 'http://127.0.0.1:8080'],
    bad: ['api.example', 'ftp://api.example'],
    message: `UPSTREAM_ORIGIN ${webUrl}`,
  },
  UPSTREAM_DEADLINE: {
    good: ['3600', '0.5'],
    bad: ['0', '-1', 'soon'],
    message: 'UPSTREAM_DEADLINE must be a number of seconds above 0',
  },
  stage: {
    good: ['local', 'localstack', 'rehearsal', 'dev', 'prod'],
    bad: ['production', 'toString'],
    message: 'stage must be local, localstack, rehearsal, dev or prod',
  },
  DOMAIN_NAME: {
    good: ['api.example.com', 'a.io'],
    bad: [
      'https://api.example.com',
      'API.example.com',
      'api.example.com/v1',
      'localhost',
      `${'a'.repeat(64)}.com`,
      `${'a.'.repeat(125)}example`,
    ],
    message: 'DOMAIN_NAME must be a host name in lower case, such as api.example.com',
  },
  CERTIFICATE_ARN: {
    good: [certificate],
    bad: ['7e7a28d2', 'arn:aws:iam::123456789012:server-certificate/x', `${certificate}/x`],
    message:
      "CERTIFICATE_ARN must be the ARN of an ACM certificate in the stack's region: arn:aws:acm:<region>:<account>:certificate/<id>",
  },
  WAF: { good: ['on', 'off'], bad: ['yes', 'ON'], message: 'WAF must be on or off' },
  ALARM_EMAIL: {
    good: ['operator@example.com'],
    bad: ['operator', 'a b@example.com', 'a@b@example.com'],
    message: 'ALARM_EMAIL must be an e-mail address',
  },
  CONCURRENCY: {
    good: ['10', '1000'],
    bad: ['9', '-10', '10.5', 'many'],
    message: 'CONCURRENCY must be the number of functions that the account may run at a time, 10 or more',
  },
  PAGE_DAYS: {
    good: ['7', '35'],
    bad: ['6', '36', '7.5', 'week'],
    message: 'PAGE_DAYS must be a whole number from 7, the usual time of reuse, to 35',
  },
  TRACKED_PAGE_DAYS: {
    good: ['2', '35'],
    bad: ['1', '36', 'three'],
    message: 'TRACKED_PAGE_DAYS must be a whole number from 2 to 35',
  },
};

describe.each(settingNames)('%s', (name) => {
  const { good, bad, message } = cases[name];

  test.each(good)('accepts %j', (value) => {
    expect(settingValue(name, value)).toBe(value);
  });

  test.each(bad)('refuses %j', (value) => {
    expect(() => settingValue(name, value)).toThrow(new Error(message));
  });

  test('has its default, which it accepts, if it is empty', () => {
    expect(settingValue(name, '')).toBe(settingOf(name).default);
    expect(checkSetting(name, settingOf(name).default)).toBe(settingOf(name).default);
    expect(checkSetting(name, '')).toBe('');
  });

  test('has a message that begins with its name, and one sentence about it', () => {
    expect(message).toMatch(new RegExp(`^${name} must be `));
    expect(settingOf(name).about).toMatch(/^[A-Z][^|\n]+\.$/);
    expect(settingOf(name).where).not.toEqual([]);
  });
});

describe('PUBLIC_URL of a deployed stage', () => {
  test.each(['https://api.example.com', 'https://cdn.example.com/ranks'])('may be %s', (url) => {
    expect(checkSetting('PUBLIC_URL', url, 'deployed')).toBe(url);
  });

  test.each([
    'http://api.example.com',
    'api.example.com',
    'https://user:word@api.example.com',
    'https://api.example.com/?a=1',
    'https://api.example.com/#top',
  ])('may not be %s', (url) => {
    expect(() => checkSetting('PUBLIC_URL', url, 'deployed')).toThrow(
      'PUBLIC_URL must be a URL that begins with https://, without credentials, query or fragment',
    );
  });

  test.each<Place>(['laptop', 'rehearsal'])('may be http elsewhere: %s', (place) => {
    expect(checkSetting('PUBLIC_URL', 'http://127.0.0.1:3000', place)).toBe('http://127.0.0.1:3000');
  });
});

test('the settings of an engine are named after it', () => {
  expect(engineSetting('google', 'ORIGIN')).toBe('GOOGLE_ORIGIN');
  expect(engineSettings('RATE')).toContain('GOOGLE_RATE');
});
