/** The health of the service: its parts, engines, fetchers and queues. */
import * as v from 'valibot';
import { component, described } from './described.ts';
import { defaultEngine, EngineName } from './engine.ts';
import { FetcherName } from './fetchers.ts';
import { Count, Seconds } from './scalar.ts';

/** The parts without which the service cannot answer. */
export const healthParts = ['table', 'queue', 'bucket', 'secrets'] as const;
export type HealthPart = (typeof healthParts)[number];

const answers = (part: string) => described(v.literal('ok'), `The ${part} answers.`, 'ok');

export const Health = component(
  'Health',
  'Whether the parts that the service needs answer',
  v.object({
    status: described(v.literal('ok'), 'All parts answer. Otherwise the response is 503.', 'ok'),
    parts: described(
      v.object({
        table: answers('database'),
        queue: answers('queue of the searches'),
        bucket: answers('storage of pages and results'),
        secrets: answers('storage of secrets'),
      } satisfies Record<HealthPart, unknown>),
      'The parts that are checked.',
      { table: 'ok', queue: 'ok', bucket: 'ok', secrets: 'ok' },
    ),
  }),
);
export type Health = v.InferOutput<typeof Health>;

const entriesOfRest = {
  state: described(
    v.picklist(['in_use', 'resting', 'probe']),
    '`in_use`: requests are sent. `resting`: not used until `rested_until`, after too many failures in a ' +
      'row. `probe`: the rest is over, and the ' +
      'next request decides whether another one begins.',
    'in_use',
  ),
  failures: described(Count, 'Failures in a row. 20 begin a rest.', 0),
  rested_until: described(Seconds, 'Unix time at which the last rest ends or ended; 0 = none.', 0),
};

const FetcherStatus = v.object({
  name: described(FetcherName, '`http`, `browser`, `upstream` (a data provider) or `sandbox`.', 'http'),
  ...entriesOfRest,
});

const EngineStatus = v.object({
  name: described(EngineName, 'The name of the engine.', defaultEngine),
  source: described(
    v.picklist(['sandbox', 'live', 'custom']),
    '`sandbox`: pages are invented. `live`: the engine itself. `custom`: an origin of the operator.',
    'live',
  ),
  pages_per_second: described(
    v.number(),
    'The rate of requests to the engine; 0 = no limit, and no rests.',
    1,
  ),
  ...entriesOfRest,
  fetchers: described(
    v.array(FetcherStatus),
    'The fetchers of its pages, in the order in which they are used.',
    [],
  ),
});
export type EngineStatus = v.InferOutput<typeof EngineStatus>;

const QueueStatus = v.object({
  name: described(
    v.picklist(['crawl', 'keyword', 'postback', 'patient', 'parked']),
    '`crawl`: searches. `keyword`: tasks of keyword data. `postback`: webhooks. `patient`: webhooks of users with slow receivers. `parked`: ' +
      'webhooks that failed five times.',
    'crawl',
  ),
  waiting: described(Count, 'Messages that can be received now.', 12),
  delayed: described(Count, 'Messages that wait for their time.', 0),
  in_progress: described(Count, 'Messages that are being processed.', 4),
});

export const ServiceStatus = component(
  'ServiceStatus',
  'The state of the engines, their fetchers and the queues',
  v.object({
    engines: described(v.array(EngineStatus), 'The engines.', []),
    queues: described(v.array(QueueStatus), 'The queues, with approximate counts.', []),
    oldest_task_seconds: described(
      Count,
      'Age of the oldest of the unfinished tasks that are due first; 0 = there is none.',
      3,
    ),
    oldest_webhook_seconds: described(
      Count,
      'Age of the oldest of the tasks whose webhook is due first; 0 = there is none.',
      0,
    ),
  }),
);
export type ServiceStatus = v.InferOutput<typeof ServiceStatus>;
