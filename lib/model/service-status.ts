/** The health of the service: its parts, engines, fetchers and queues. */
import * as v from 'valibot';
import { EngineName } from './engine.ts';
import { FetcherName } from './fetchers.ts';
import { Count, Seconds } from './scalar.ts';

/** The parts without which the service cannot answer. */
export const healthParts = ['table', 'queue', 'bucket', 'secrets'] as const;
export type HealthPart = (typeof healthParts)[number];

const answers = (part: string) => v.pipe(v.literal('ok'), v.description(`The ${part} answers.`));

export const Health = v.object({
  status: v.pipe(v.literal('ok'), v.description('All parts answer. Otherwise the response is 503.')),
  parts: v.pipe(
    v.object({
      table: answers('database'),
      queue: answers('queue of the searches'),
      bucket: answers('storage of pages and results'),
      secrets: answers('storage of secrets'),
    } satisfies Record<HealthPart, unknown>),
    v.description('The parts that are checked.'),
  ),
});
export type Health = v.InferOutput<typeof Health>;

const entriesOfRest = {
  state: v.pipe(
    v.picklist(['in_use', 'resting', 'probe']),
    v.description(
      '`in_use`: requests are sent. `resting`: not used until `rested_until`, after too many failures in a row. `probe`: the rest is over, and the ' +
        'next request decides whether another one begins.',
    ),
  ),
  failures: v.pipe(Count, v.description('Failures in a row. 20 begin a rest.')),
  rested_until: v.pipe(Seconds, v.description('Unix time at which the last rest ends or ended; 0 = none.')),
};

const FetcherStatus = v.object({
  name: v.pipe(FetcherName, v.description('`http`, `browser`, `upstream` (a data provider) or `sandbox`.')),
  ...entriesOfRest,
});

const EngineStatus = v.object({
  name: v.pipe(EngineName, v.description('The name of the engine.')),
  source: v.pipe(
    v.picklist(['sandbox', 'live', 'custom']),
    v.description(
      '`sandbox`: pages are invented. `live`: the engine itself. `custom`: an origin of the operator.',
    ),
  ),
  pages_per_second: v.pipe(
    v.number(),
    v.description('The rate of requests to the engine; 0 = no limit, and no rests.'),
  ),
  ...entriesOfRest,
  fetchers: v.pipe(
    v.array(FetcherStatus),
    v.description('The fetchers of its pages, in the order in which they are used.'),
  ),
});
export type EngineStatus = v.InferOutput<typeof EngineStatus>;

const QueueStatus = v.object({
  name: v.pipe(
    v.picklist(['crawl', 'postback', 'patient', 'parked']),
    v.description(
      '`crawl`: searches. `postback`: webhooks. `patient`: webhooks of users with slow receivers. `parked`: webhooks that failed five times.',
    ),
  ),
  waiting: v.pipe(Count, v.description('Messages that can be received now.')),
  delayed: v.pipe(Count, v.description('Messages that wait for their time.')),
  in_progress: v.pipe(Count, v.description('Messages that are being processed.')),
});

export const ServiceStatus = v.object({
  engines: v.pipe(v.array(EngineStatus), v.description('The engines.')),
  queues: v.pipe(v.array(QueueStatus), v.description('The queues, with approximate counts.')),
  oldest_task_seconds: v.pipe(
    Count,
    v.description('Age of the oldest of the unfinished tasks that are due first; 0 = there is none.'),
  ),
  oldest_webhook_seconds: v.pipe(
    Count,
    v.description('Age of the oldest of the tasks whose webhook is due first; 0 = there is none.'),
  ),
});
export type ServiceStatus = v.InferOutput<typeof ServiceStatus>;
