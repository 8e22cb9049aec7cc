/**
 * The settings that an operator may give: one row per setting. The functions, `npm start`, the CDK app and
 * the table in `docs/settings.md` all read these rows. The message of a schema is what the operator reads
 * about a malformed value. The file is long because it is a table: nearly all of its lines are rows.
 */
import * as v from 'valibot';
import { credentialsIn } from './ads-credentials.ts';
import { type EngineName, engineNames, engines } from './engine.ts';
import { noProxy, proxiesIn } from './fetchers.ts';
import { asciiMailAddress, asciiMailDomain } from './mail-address.ts';
import { Misfortune } from './misfortune.ts';
import { leastTrackedPageDays, longestDays, usualPageDays } from './page-days.ts';
import { Stage } from './stage.ts';

/**
 * Where a setting may be given. `laptop`: a variable in the environment of `npm start`. `deployed`: the file
 * or `--context NAME=value` of a stage that asks the real search engines. `rehearsal`: the same, of any other
 * stage. `secret`: Secrets Manager, by `npm run secret`.
 */
export type Place = 'laptop' | 'deployed' | 'rehearsal' | 'secret';

type Setting = {
  /** What the setting does, as one sentence for docs/settings.md and for error messages. */
  about: string;
  schema: v.GenericSchema<string, string>;
  /** Replaces `schema` for a stage that asks the real search engines. */
  deployedSchema?: v.GenericSchema<string, string>;
  /** The value while none is given; empty if there is none. */
  default: string;
  /** The default as docs/settings.md shows it, if it is not one value. */
  defaultInWords?: string;
  where: readonly Place[];
  /** What to do instead, for an operator who gives the setting in another place. */
  instead?: string;
};

const context = ['deployed', 'rehearsal'] as const;
const everywhere = ['laptop', ...context] as const;

const matching = (pattern: RegExp, message: string) => v.pipe(v.string(), v.regex(pattern, message));

const checked = (isValid: (text: string) => boolean, message: string) =>
  v.pipe(v.string(), v.check(isValid, message));

/** SES takes a sender in ASCII only. */
const isSender = (text: string): boolean => asciiMailAddress(text)?.toLowerCase() === text.toLowerCase();

const numberChecked = (isValid: (value: number) => boolean, message: string) =>
  checked((text) => text.trim() !== '' && Number.isFinite(Number(text)) && isValid(Number(text)), message);

const wholeNumber = (least: number, most: number, message: string) =>
  v.pipe(
    v.string(),
    v.regex(/^\d+$/, message),
    v.check((text) => Number(text) >= least && Number(text) <= most, message),
  );

/** A URL with http or https. A user and a password in it are percent-encoded. */
const isWebUrl = (text: string): boolean => {
  const url = URL.parse(text);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return false;
  try {
    decodeURIComponent(`${url.username}:${url.password}`);
    return true;
  } catch {
    return false;
  }
};

/** A URL that clients can prefix to a path: https, without credentials, query or fragment. */
const isPublicUrl = (text: string): boolean => {
  const url = URL.parse(text);
  return url?.protocol === 'https:' && !url.username && !url.password && !url.search && !url.hash;
};

/** One address of a proxy, or several by name. */
const areProxies = (text: string): boolean => {
  const proxies = Object.entries(proxiesIn(text) ?? {});
  return (
    proxies.length > 0 &&
    proxies.every(([name, url]) => name !== noProxy && isWebUrl(url.replace(/\{(country|session)\}/g, 'x')))
  );
};

/** Origins as browsers send them: scheme, host, and a port if it is not that of the scheme. Never `*`. */
const areOrigins = (text: string): boolean =>
  text.split(',').every((each) => isWebUrl(each) && URL.parse(each)?.origin === each);

const isCredentials = (text: string): boolean => credentialsIn(text) !== undefined;

const ofStart = {
  PORT: {
    about: 'The port that `npm start` listens on; 0 = any free port.',
    schema: wholeNumber(0, 65_535, 'PORT must be a whole number from 0 to 65535'),
    default: '3000',
    where: ['laptop'],
  },
  HOST: {
    about: 'The address that `npm start` listens on.',
    schema: matching(/^[\w.:%-]+$/, 'HOST must be an IP address or a host name'),
    default: '127.0.0.1',
    where: ['laptop'],
  },
  DATA_DIR: {
    about: 'The folder in which the embedded stack keeps its data.',
    schema: checked((text) => !text.includes('\0'), 'DATA_DIR must be the path of a folder'),
    default: '.local',
    where: ['laptop'],
  },
  API_KEY: {
    about: 'The API key of the first user.',
    schema: matching(
      /^serp_[0-9A-Za-z]{46}$/,
      'API_KEY must be a key of this service: serp_ and 46 letters or digits',
    ),
    default: '',
    defaultInWords: 'made by the first start',
    where: ['laptop'],
  },
  WEBHOOK_SECRET: {
    about: 'The webhook secret of the first user.',
    schema: matching(/^whsec_[A-Za-z0-9+/]+={0,2}$/, 'WEBHOOK_SECRET must be whsec_ followed by base64'),
    default: '',
    defaultInWords: 'made by the first start',
    where: ['laptop'],
  },
  RATE_LIMIT: {
    about:
      'Requests per minute that the first user may make; its batches may have 25 times as many pages; 0 = no limit.',
    schema: wholeNumber(0, 1_000_000, 'RATE_LIMIT must be a whole number from 0 to 1000000'),
    default: '2000',
    where: ['laptop'],
  },
  CLOCK_RATE: {
    about:
      'The factor by which the embedded stack shortens the waits of webhooks and schedules (to 5 s at least, or a tenth of a day), and the days of rank tracking.',
    schema: numberChecked((rate) => rate > 0, 'CLOCK_RATE must be a number above 0'),
    default: '1',
    where: ['laptop'],
  },
  CRASH_AT: {
    about: 'The crash point at which the embedded stack kills its own process (`lib/runtime/crash.ts`).',
    schema: matching(
      /^(before|after)-[a-z_-]+(:[1-9]\d*)?$/,
      'CRASH_AT must be a crash point, such as before-write-rows, or before-write-rows:3 for the third time',
    ),
    default: '',
    where: ['laptop'],
  },
} as const satisfies Record<string, Setting>;

/** Default of `SUGGEST_RATE` and `TRENDS_RATE` for the real sources, in calls per second. */
export const politeCallRate = 1;

/**
 * Which source gives a kind of keyword data. The form alone is checked here: the names are in
 * `lib/provider/sources`.
 */
const sourceChoice = (name: string, what: string, value: string) =>
  ({
    about: `The source of ${what}.`,
    schema: matching(/^[a-z][a-z0-9-]*$/, `${name} must be the name of a source, such as ${value}`),
    default: value,
    where: everywhere,
  }) as const;

/**
 * The settings of a source of suggestions or trends. Those of one kind have the same sentence, so they share
 * a row of the table.
 */
const sourceOrigin = (name: string) =>
  ({
    about: 'The origin from which suggestions, or trends, are fetched in place of the real one.',
    schema: checked(isWebUrl, `${name} must be a URL that begins with http:// or https://`),
    default: '',
    where: ['laptop', 'rehearsal'],
  }) as const;

const sourceRate = (name: string) =>
  ({
    about: 'Calls per second to the suggestions of an engine, or to Google Trends; 0 = no limit.',
    schema: numberChecked((rate) => rate >= 0, `${name} must be a number of calls per second, 0 or more`),
    default: '',
    defaultInWords: `${politeCallRate} for the real source, otherwise 0`,
    where: everywhere,
  }) as const;

const sourceCache = (name: string) =>
  ({
    about:
      'Seconds for which suggestions, or trends, answer the same request of any user; 0 = always ask the source.',
    schema: wholeNumber(0, 604_800, `${name} must be a whole number of seconds from 0 to 604800`),
    default: '3600',
    where: everywhere,
  }) as const;

/**
 * A task exists for a day. One that ends later would be gone before it says so, and one that ends within the
 * last quarter of an hour before the attempts at its webhook.
 */
export const longestDeadline = 82_800;

const ofFunctions = {
  SEARCH_SOURCE: {
    about: 'The source of pages: `sandbox` invents them, `live` asks the real search engines.',
    schema: v.picklist(['sandbox', 'live'], 'SEARCH_SOURCE must be sandbox or live'),
    default: 'sandbox',
    defaultInWords: '`sandbox`; a deployed stage has its own',
    where: ['laptop'],
    instead: 'comes with the stage: choose one with --context stage=…',
  },
  PUBLIC_URL: {
    about: 'The base of the links that the service makes, with the path of a custom domain.',
    schema: checked(isWebUrl, 'PUBLIC_URL must be a URL that begins with http:// or https://'),
    deployedSchema: checked(
      isPublicUrl,
      'PUBLIC_URL must be a URL that begins with https://, without credentials, query or fragment',
    ),
    default: '',
    defaultInWords: 'the URL of `DOMAIN_NAME`, otherwise of the gateway',
    where: everywhere,
  },
  MAIL_FROM: {
    about:
      'The sender of mails with alerts, an address at a domain that SES has verified. Empty: no mail is sent.',
    schema: checked(isSender, 'MAIL_FROM must be an e-mail address, such as reports@example.com'),
    default: '',
    where: everywhere,
  },
  MAIL_TO_DOMAINS: {
    about:
      'The domains, with commas between, to whose addresses mails may go. The address that a user has been given may always get them.',
    schema: checked(
      (text) => text.split(',').every((domain) => asciiMailDomain(domain) !== undefined),
      'MAIL_TO_DOMAINS must be domains, such as example.com,agency.example',
    ),
    default: '',
    where: everywhere,
  },
  CORS_ORIGINS: {
    about:
      'The origins, with commas between, whose pages may call the interface from a browser, with a token (CORS).',
    schema: checked(
      areOrigins,
      'CORS_ORIGINS must be origins, such as https://app.example.com,https://www.example.com',
    ),
    default: '',
    where: everywhere,
  },
  TASK_DEADLINE: {
    about: 'Seconds after which a task that is not final ends in `error`, at most 82,800 (23 hours).',
    schema: numberChecked(
      (seconds) => seconds > 0 && seconds <= longestDeadline,
      `TASK_DEADLINE must be a number of seconds above 0, and at most ${longestDeadline}`,
    ),
    default: '21600',
    where: everywhere,
  },
  RESOLVE_LINKS: {
    about:
      'Whether hidden result links are looked up: `always`, `tracking` (only if the task has a domain) or `never`.',
    schema: v.picklist(['always', 'tracking', 'never'], 'RESOLVE_LINKS must be always, tracking or never'),
    default: 'always',
    where: everywhere,
  },
  FETCH_OVERVIEWS: {
    about:
      'Whether the text of a deferred AI overview is fetched, by one more request: `always`, `tracking` (only if the task has a domain) or `never`.',
    schema: v.picklist(['always', 'tracking', 'never'], 'FETCH_OVERVIEWS must be always, tracking or never'),
    default: 'always',
    where: everywhere,
  },
  VOLUMES_SOURCE: sourceChoice(
    'VOLUMES_SOURCE',
    'search volumes and keyword ideas (`lib/provider/sources/volumes.ts`)',
    'google-ads',
  ),
  SUGGEST_SOURCE: sourceChoice(
    'SUGGEST_SOURCE',
    'suggestions (`lib/provider/sources/suggestions.ts`)',
    'engines',
  ),
  TRENDS_SOURCE: sourceChoice('TRENDS_SOURCE', 'trends (`lib/provider/sources/trends.ts`)', 'google-trends'),
  ADS_ORIGIN: {
    about: "The origin at which keyword data is requested in place of Google's.",
    schema: checked(isWebUrl, 'ADS_ORIGIN must be a URL that begins with http:// or https://'),
    default: '',
    where: ['laptop', 'rehearsal'],
  },
  ADS_RATE: {
    about: 'Calls per second to Google Ads, or to the sandbox in its place; 0 = no limit.',
    schema: numberChecked((calls) => calls >= 0, 'ADS_RATE must be a number of calls per second, 0 or more'),
    default: '1',
    where: everywhere,
  },
  ADS_VERSION: {
    about: 'The version of the Google Ads API.',
    schema: matching(/^v\d{2,3}$/, 'ADS_VERSION must be a version of the Google Ads API, such as v26'),
    default: 'v26',
    where: everywhere,
  },
  METRICS_HOURS: {
    about:
      'Hours for which the metrics of a keyword answer later requests of all users; 0 = they are never reused.',
    schema: numberChecked((hours) => hours >= 0, 'METRICS_HOURS must be a number of hours, 0 or more'),
    default: '24',
    where: everywhere,
  },
  UPSTREAM_ORIGIN: {
    about: 'The origin at which the upstream provider is asked for pages.',
    schema: checked(isWebUrl, 'UPSTREAM_ORIGIN must be a URL that begins with http:// or https://'),
    default: '',
    defaultInWords: '`https://api.dataforseo.com`',
    where: ['laptop', 'rehearsal'],
  },
  UPSTREAM_DEADLINE: {
    about: 'Seconds after which a search that the upstream provider has accepted ends in `error`.',
    schema: numberChecked((seconds) => seconds > 0, 'UPSTREAM_DEADLINE must be a number of seconds above 0'),
    default: '3600',
    where: everywhere,
  },
  SANDBOX_MISFORTUNE: {
    about: 'The misfortune that the sandbox applies to every query.',
    schema: v.picklist(
      Misfortune.options,
      `SANDBOX_MISFORTUNE must be one of ${Misfortune.options.join(', ')}`,
    ),
    default: '',
    where: ['laptop', 'rehearsal'],
  },
  SUGGEST_ORIGIN: sourceOrigin('SUGGEST_ORIGIN'),
  SUGGEST_RATE: sourceRate('SUGGEST_RATE'),
  SUGGEST_CACHE: sourceCache('SUGGEST_CACHE'),
  TRENDS_ORIGIN: sourceOrigin('TRENDS_ORIGIN'),
  TRENDS_RATE: sourceRate('TRENDS_RATE'),
  TRENDS_CACHE: sourceCache('TRENDS_CACHE'),
} as const satisfies Record<string, Setting>;

type EngineSettingKind = 'ORIGIN' | 'RATE';

export type EngineSetting<
  Engine extends EngineName = EngineName,
  Kind extends EngineSettingKind = EngineSettingKind,
> = `${Uppercase<Engine>}_${Kind}`;

/** The name of an engine's setting: `GOOGLE_RATE`. */
export const engineSetting = <Engine extends EngineName, Kind extends EngineSettingKind>(
  engine: Engine,
  kind: Kind,
) => `${engine.toUpperCase()}_${kind}` as EngineSetting<Engine, Kind>;

/** The names of one setting of all engines. */
export const engineSettings = <Kind extends EngineSettingKind>(kind: Kind) =>
  engineNames.map((engine) => engineSetting(engine, kind));

const ofEngine = (engine: EngineName): [EngineSetting, Setting][] => {
  const { politeRate } = engines[engine];
  const [origin, rate] = [engineSetting(engine, 'ORIGIN'), engineSetting(engine, 'RATE')];
  return [
    [
      origin,
      {
        about: "The origin from which pages are fetched in place of the engine's own.",
        schema: checked(isWebUrl, `${origin} must be a URL that begins with http:// or https://`),
        default: '',
        where: ['laptop', 'rehearsal'],
      },
    ],
    [
      rate,
      {
        about:
          'Pages per second that are requested from the engine, on average; 0 = no limit and no pauses. The first search of a user whom others precede starts early, and later ones then wait longer.',
        schema: numberChecked(
          (pages) => pages >= 0,
          `${rate} must be a number of pages per second, 0 or more`,
        ),
        default: '',
        defaultInWords: `${politeRate} for the real engine, otherwise 0`,
        where: everywhere,
      },
    ],
  ];
};

const ofEngines = Object.fromEntries(engineNames.flatMap(ofEngine)) as Record<EngineSetting, Setting>;

const secrets = {
  PROXY_URL: {
    about:
      'The outgoing proxy for pages, with its credentials, or a JSON object of several by name; `{country}` and `{session}` are replaced for each page.',
    schema: checked(
      areProxies,
      'PROXY_URL must be a URL that begins with http:// or https://, or a JSON object of such URLs by name',
    ),
    default: '',
    where: ['laptop', 'secret'],
  },
  PROXY_CA: {
    about:
      'The certificate authority of a proxy that ends TLS itself, as the text of a PEM file; only pages through a proxy trust it.',
    schema: matching(
      /^\s*-----BEGIN CERTIFICATE-----\n[A-Za-z0-9+/=\s]+\n-----END CERTIFICATE-----\s*$/,
      'PROXY_CA must be a certificate in PEM: it begins with -----BEGIN CERTIFICATE-----',
    ),
    default: '',
    where: ['laptop', 'secret'],
  },
  GOOGLE_ADS_CREDENTIALS: {
    about:
      'The credentials of Google Ads, as a JSON object: `client_id`, `client_secret`, `refresh_token`, `customer_id`, and, if needed, `login_customer_id` and `developer_token`.',
    schema: checked(
      isCredentials,
      'GOOGLE_ADS_CREDENTIALS must be a JSON object with client_id, client_secret, refresh_token and customer_id',
    ),
    default: '',
    where: ['laptop', 'secret'],
  },
  UPSTREAM_CREDENTIALS: {
    about: 'The login and the password at the upstream provider DataForSEO, for the fetcher `upstream`.',
    schema: matching(
      /^[^\s:]+:\S+$/,
      'UPSTREAM_CREDENTIALS must be the login and the password of the API, with a colon between them',
    ),
    default: '',
    where: ['laptop', 'secret'],
  },
} as const satisfies Record<string, Setting>;

const ofDeployment = {
  stage: {
    about: 'The stage that is deployed (`infra/stages.ts`).',
    schema: Stage,
    default: 'dev',
    where: context,
  },
  DOMAIN_NAME: {
    about: 'The only domain at which the service answers; it needs `CERTIFICATE_ARN`.',
    schema: checked(
      (text) =>
        text.length <= 253 &&
        /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/.test(text),
      'DOMAIN_NAME must be a host name in lower case, such as api.example.com',
    ),
    default: '',
    where: context,
  },
  CERTIFICATE_ARN: {
    about: "The ACM certificate of `DOMAIN_NAME`, in the stack's region.",
    schema: matching(
      /^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[\w-]+$/,
      "CERTIFICATE_ARN must be the ARN of an ACM certificate in the stack's region: arn:aws:acm:<region>:<account>:certificate/<id>",
    ),
    default: '',
    where: context,
  },
  WAF: {
    about: 'Whether a web ACL filters the requests to the gateway: `on` or `off`.',
    schema: v.picklist(['on', 'off'], 'WAF must be on or off'),
    default: 'off',
    where: context,
  },
  ALARM_EMAIL: {
    about: 'The e-mail address that alarms are sent to.',
    schema: matching(/^[^\s@]+@[^\s@]+$/, 'ALARM_EMAIL must be an e-mail address'),
    default: '',
    where: context,
  },
  CONCURRENCY: {
    about:
      "How many functions the stage may run at a time: the account's Lambda quota, or a share of it; 1,000 start 277 searches a second.",
    schema: wholeNumber(
      10,
      Number.MAX_SAFE_INTEGER,
      'CONCURRENCY must be the number of functions that the account may run at a time, 10 or more',
    ),
    default: '10',
    where: context,
  },
  PAGE_DAYS: {
    about:
      'For how many days the HTML of pages is stored. Pages of searches whose `frequency` is longer are stored for 35 days.',
    schema: wholeNumber(
      usualPageDays,
      longestDays,
      'PAGE_DAYS must be a whole number from 7, the usual time of reuse, to 35',
    ),
    default: String(usualPageDays),
    where: context,
  },
  TRACKED_PAGE_DAYS: {
    about:
      'For how many days the HTML of tracked searches is stored. Later, their positions stay, and a search is crawled again instead of reusing them.',
    schema: wholeNumber(
      leastTrackedPageDays,
      longestDays,
      'TRACKED_PAGE_DAYS must be a whole number from 2 to 35',
    ),
    default: '3',
    where: context,
  },
} as const satisfies Record<string, Setting>;

export const settings = { ...ofStart, ...ofFunctions, ...ofEngines, ...secrets, ...ofDeployment };

export type SettingName = keyof typeof settings;

/** A setting that the functions read, by `setting` of `lib/runtime/env.ts`. */
export type FunctionSetting = keyof typeof ofFunctions | EngineSetting;
export type SecretName = keyof typeof secrets;

const rows: Readonly<Record<SettingName, Setting>> = settings;

export const settingNames = Object.keys(settings) as SettingName[];
export const functionSettings = Object.keys({ ...ofFunctions, ...ofEngines }) as FunctionSetting[];
export const secretNames = Object.keys(secrets) as SecretName[];

export const settingOf = (name: SettingName): Setting => rows[name];

export const isSettingName = (name: string): name is SettingName => Object.hasOwn(settings, name);

export const mayBeGiven = (name: SettingName, place: Place): boolean => rows[name].where.includes(place);

/** The names of the settings that may be given in this place. */
export const placedSettings = (place: Place): SettingName[] =>
  settingNames.filter((name) => mayBeGiven(name, place));

/** The value of a setting: what its schema gives, or empty if it has no default. */
export type SettingValue<Name extends SettingName> =
  | v.InferOutput<(typeof settings)[Name]['schema']>
  | ('' extends (typeof settings)[Name]['default'] ? '' : never);

/**
 * Validates a given value; an empty one counts as not given.
 * @throws an Error with the message of the row if the value is malformed.
 */
export const checkSetting = (name: SettingName, given: string, place: Place = 'laptop'): string => {
  if (given === '') return '';
  const { schema, deployedSchema } = rows[name];
  const { success, output, issues } = v.safeParse((place === 'deployed' && deployedSchema) || schema, given);
  if (!success) throw new Error(issues[0].message);
  return output;
};

/**
 * The given value, or the default.
 * @throws an Error with the message of the row if the value is malformed.
 */
export const settingValue = <Name extends SettingName>(name: Name, given: string): SettingValue<Name> =>
  (checkSetting(name, given) || rows[name].default) as SettingValue<Name>;
