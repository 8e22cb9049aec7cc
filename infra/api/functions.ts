/** The functions that answer requests, one for each area of the interface (`functions/api`). */
import type { Stack } from 'aws-cdk-lib';
import { engineSettings } from '../../lib/model/settings.ts';
import type { PageBucket } from '../bucket.ts';
import type { BesideBundle } from '../bundle.ts';
import { megabytes, seconds } from '../function-limits.ts';
import { letSendMail } from '../mail.ts';
import type { Parameters } from '../parameters.ts';
import type { Queues } from '../queues.ts';
import type { Resource } from '../resource.ts';
import type { Secrets } from '../secrets.ts';
import { ServiceFunction } from '../service-function.ts';
import {
  adsSettings,
  fetcherSettings,
  mailSettings,
  sourceSettings,
  turnSettings,
} from '../setting-groups.ts';
import { type ServiceSetting, settingsOf } from '../stages.ts';
import type { Tables } from '../tables.ts';
import type { Area } from './areas.ts';

/** The list of places, which requests are checked with. */
const places: BesideBundle = { data: ['lib/place/places.txt'] };

const siteFiles: BesideBundle = {
  files: {
    from: 'swagger-ui-dist',
    names: [
      'package.json',
      'swagger-ui.css',
      'swagger-ui-bundle.js',
      'favicon-32x32.png',
      'LICENSE',
      'NOTICE',
    ],
  },
  data: ['docs/api', 'events'],
  built: [
    { script: 'lib/console/build.ts', folder: 'console' },
    { script: 'lib/docs/build.ts', folder: 'docs' },
  ],
};

export const makeAreas = (
  stack: Stack,
  { users, tasks, limits, snapshots, pace, metrics, tracking }: Tables,
  bucket: PageBucket,
  { crawl, keyword, postback, patient, parked }: Queues,
  { tokenKey, proxyUrl, proxyCa, adsCredentials, upstreamCredentials }: Secrets,
  { fetchers }: Parameters,
  crawlMachine: Resource<'run'>,
): Record<Area, ServiceFunction> => {
  const { reserved, waits } = settingsOf(stack);

  /** The function of an area. `settings`: those that it reads beside the settings of every area. */
  const makeArea = (area: Area, settings: readonly ServiceSetting[], beside: BesideBundle = {}) =>
    new ServiceFunction(stack, `${area[0]?.toUpperCase()}${area.slice(1)}Function`, {
      entry: `functions/api/${area}.ts`,
      timeoutSeconds: seconds.api,
      memoryMegabytes: area === 'reporting' ? megabytes.reporting : megabytes.api,
      reservedConcurrency: reserved?.[area],
      settings: ['STAGE', 'PUBLIC_URL', 'CORS_ORIGINS', ...settings],
      beside,
    });

  /** Lets a function find the user of a request and count the request. */
  const canAuthenticate = (each: ServiceFunction): ServiceFunction =>
    each.bind(users, 'find', 'read').bind(tokenKey, 'read').bind(limits, 'update');

  /** Lets a function answer requests that wait for the end of a task (`lib/access/wait-slot.ts`). */
  const canWait = (area: Area, each: ServiceFunction): ServiceFunction => {
    // The functions of the embedded stack have one environment, so a user's waits are counted over all areas.
    if (waits) {
      // Without functions of their own, the areas count theirs together.
      each.addEnvironment('AREA', reserved ? area : 'all');
      each.addEnvironment('WAITS_PER_USER', String(waits[area].perUser));
      each.addEnvironment('WAITS', String(waits[area].all));
    }
    return each.bind(limits, 'read');
  };

  const keywordSettings = ['TASK_DEADLINE', ...adsSettings, ...sourceSettings] as const;

  /** Lets a function answer calls for keyword data: from what is stored, from the sources, or by tasks. */
  const canAnswerKeywords = (each: ServiceFunction): ServiceFunction =>
    each
      .bind(snapshots, 'read', 'put')
      .bind(pace, 'turn')
      .bind(metrics, 'use', 'claim')
      .bind(proxyUrl, 'read')
      .bind(proxyCa, 'read')
      .bind(adsCredentials, 'read')
      .bind(fetchers, 'read')
      .bind(keyword, 'send');

  const areas: Record<Area, ServiceFunction> = {
    // A live call takes its turn at the engine, like the consumer of the crawl queue.
    serp: canWait('serp', canAuthenticate(makeArea('serp', [...turnSettings, 'TASK_DEADLINE'], places)))
      .bind(tasks, 'create', 'list')
      .bind(bucket, 'readHtml', 'openHtml', 'readResults', 'writeResults')
      .bind(crawl, 'send')
      .bind(postback, 'send')
      .bind(snapshots, 'read')
      .bind(pace, 'turn')
      .bind(fetchers, 'read')
      .bind(crawlMachine, 'run'),

    keyword: canWait(
      'keyword',
      canAnswerKeywords(canAuthenticate(makeArea('keyword', [...keywordSettings, ...mailSettings], places))),
    )
      .bind(tasks, 'create', 'read', 'list')
      .bind(bucket, 'readResults'),

    reporting: canAuthenticate(makeArea('reporting', [...fetcherSettings, ...mailSettings], places))
      .bind(upstreamCredentials, 'read')
      .bind(fetchers, 'read')
      .bind(tasks, 'readMany', 'write')
      .bind(postback, 'send')
      .bind(tracking, 'get', 'getMany', 'query', 'queryIndex', 'put', 'update', 'delete', 'writeMany'),

    mcp: canWait(
      'mcp',
      canAnswerKeywords(
        canAuthenticate(makeArea('mcp', [...keywordSettings, ...engineSettings('ORIGIN')], places)),
      ),
    )
      .bind(tasks, 'create', 'list')
      .bind(tracking, 'get', 'getMany', 'query', 'queryIndex')
      .bind(bucket, 'readHtml', 'readResults')
      .bind(crawl, 'send'),

    compat: canWait(
      'compat',
      canAuthenticate(
        makeArea(
          'compat',
          [
            'TASK_DEADLINE',
            'SEARCH_SOURCE',
            'SANDBOX_MISFORTUNE',
            ...engineSettings('ORIGIN'),
            // Of the code that asks for suggestions, which shares its lines with that for trends.
            ...sourceSettings.filter((name) => name !== 'TRENDS_SOURCE'),
          ],
          places,
        ),
      ),
    )
      .bind(tasks, 'create', 'list')
      .bind(bucket, 'readHtml', 'readResults')
      .bind(crawl, 'send')
      .bind(keyword, 'send')
      .bind(snapshots, 'read', 'put')
      .bind(pace, 'turn')
      .bind(proxyUrl, 'read')
      .bind(proxyCa, 'read')
      .bind(fetchers, 'read'),

    account: canAuthenticate(makeArea('account', ['SEARCH_SOURCE'])).bind(users, 'list', 'write'),

    status: canAuthenticate(makeArea('status', [...fetcherSettings, ...engineSettings('RATE')]))
      .bind(upstreamCredentials, 'read')
      .bind(pace, 'read')
      .bind(tasks, 'findUnfinished')
      .bind(fetchers, 'read')
      .bind(bucket, 'check')
      .bind(crawl, 'count')
      .bind(keyword, 'count')
      .bind(postback, 'count')
      .bind(patient, 'count')
      .bind(parked, 'count'),

    site: makeArea('site', ['SEARCH_SOURCE'], siteFiles),
  };
  // It sends samples of webhooks and mails.
  letSendMail(stack, [areas.keyword]);
  return areas;
};
