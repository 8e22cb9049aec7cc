/**
 * The metrics of the service, and how a log line carries them in CloudWatch's embedded metric format.
 * CloudWatch bills each combination of dimensions as a separate metric, so there are few.
 */
import { engineNames } from '../model/engine.ts';

/**
 * The dimensions (fields of the line) and the unit of each metric. The unit defaults to Count. If the values
 * are 0 or 1, the average is a rate and the sample count is the number of events. `isIdle`: scheduled calls
 * write it without any work, so it is billed in each hour.
 */
export const metrics = {
  TasksAccepted: { by: [] },
  /** 1 for each request of the API that took three seconds or more, unless it waited for a task. */
  SlowRequests: { by: [] },
  /** 1 if a task ended in `success`, 0 if in `error` or `dead_letter`. */
  TaskSucceeded: { by: ['engine'] },
  /** From creation to the final state. */
  TaskSeconds: { unit: 'Seconds', by: ['engine'] },
  /**
   * 1 for each search that ended within a minute of its last page, 0 for each that took longer or ended in
   * `dead_letter`. Without the others that fetched no page or reused a stored result.
   */
  EndedInTime: { by: [] },
  /**
   * 1 for each result from pages with a block that the reader did not read: the engine may have changed its
   * markup.
   */
  ResultUnclaimed: { by: ['engine'] },
  TasksPutOff: { by: ['engine'] },
  /**
   * 1 if a task of keyword data ended in `success`, 0 if in `error` or `dead_letter`. Tasks that succeed
   * together are one value.
   */
  KeywordTaskSucceeded: { by: [] },
  /** Keywords of tasks and live calls that got their figures, and how many of them from the cache. */
  KeywordsAnswered: { by: [] },
  KeywordsReused: { by: [] },
  /** 1 for each call to a source of keyword data that failed, 0 for each that gave data. */
  SourceFailed: { by: [] },
  /** 1 for each call that the source refused because too many were made. */
  SourceThrottled: { by: [] },
  SourceMilliseconds: { unit: 'Milliseconds', by: [] },
  /** 1 for each live call that got no suggestions or no trends from their source. */
  NoSourceData: { by: [] },
  /** 1 for each fetch that returned a page of results, including a page that reports no results. */
  PageFetched: { by: ['engine', 'route'] },
  /** 1 for each fetch that the engine blocked. */
  PageBlocked: { by: ['engine', 'route'] },
  PageMilliseconds: { unit: 'Milliseconds', by: ['engine', 'route'] },
  /**
   * 1 for each page that was lost because Chromium did not start, or was ended twice by something other than
   * the page.
   */
  BrowserFailed: { by: [] },
  /**
   * 1 for each search whose pages the upstream provider delivered, 0 for each that it refused or was late
   * with.
   */
  UpstreamDelivered: { by: [] },
  /**
   * 1 for each request that the upstream provider refused because of the account: its credentials, its money
   * or its limits.
   */
  UpstreamRefused: { by: [] },
  LinksAsked: { by: ['engine'] },
  LinksFound: { by: ['engine'] },
  /** 1 for each deferred AI overview whose text was fetched and read, 0 for each that stayed deferred. */
  OverviewRead: { by: ['engine'] },
  EngineRests: { by: ['engine'] },
  /** The rests of a fetcher: pages came from the next one in the order, or from none. */
  FetcherRests: { by: ['engine', 'route'] },
  /** 1 for each delivery attempt that the receiver accepted. */
  DeliverySucceeded: { by: [] },
  /** The same for the first attempt of each delivery only. */
  FirstAttemptSucceeded: { by: [] },
  DeliveryMilliseconds: { unit: 'Milliseconds', by: [] },
  DeliveriesParked: { by: [] },
  /**
   * Age of the oldest unfinished task that is not being processed; 0 if there is none. Logged by each sweep.
   */
  OldestTaskSeconds: { unit: 'Seconds', by: [], isIdle: true },
  /**
   * How long the oldest webhook waits for its next attempt that the sweeper found overdue. Logged by each
   * sweep that found one: CloudWatch bills a metric for each hour in which it has a value.
   */
  OldestWebhookSeconds: { unit: 'Seconds', by: [] },
  TasksTakenUp: { by: [] },
  /** Crawls of tracked searches that the planner has begun. */
  SearchesPlanned: { by: [], isIdle: true },
  /** Tracked keywords that got a position from a crawl, and those that got none from it, if there are any. */
  ResultsRecorded: { by: [], isIdle: true },
  GapsRecorded: { by: [] },
  /**
   * How long the oldest tracked search waits that a run of the planner or the recorder left. Logged by each
   * run that left one.
   */
  OverdueSearchSeconds: { unit: 'Seconds', by: [] },
  /** 1 for each call that an AWS service refused or failed, if the work was postponed because of it. */
  AwsRefusals: { by: [] },
} as const satisfies Record<
  string,
  { by: readonly ('engine' | 'route')[]; unit?: 'Seconds' | 'Milliseconds'; isIdle?: true }
>;

/** The values of the dimensions. Each of them gets its dashboard widgets and alarms. */
export const engines = engineNames;
export const fetchRoutes = ['http', 'browser'] as const;

/** All routes of pages. Only a stage with an upstream provider writes metrics of the last one. */
export const allRoutes = [...fetchRoutes, 'upstream'] as const;
export type FetchRoute = (typeof allRoutes)[number];

export type MetricName = keyof typeof metrics;

export type Measured = Partial<Record<MetricName, number>>;

const isMetric = (name: string): name is MetricName => name in metrics;

/**
 * The fields from which CloudWatch makes metrics, and their values: a directive for each set of dimensions.
 */
export const embed = (measured: Measured, namespace: string, timestamp: number) => {
  const names = Object.keys(measured).filter(isMetric);
  const byDimensions = Map.groupBy(names, (name) => metrics[name].by.join());
  return {
    ...measured,
    _aws: {
      Timestamp: timestamp,
      CloudWatchMetrics: [...byDimensions.values()].map((ofThese) => ({
        Namespace: namespace,
        Dimensions: [ofThese[0] ? metrics[ofThese[0]].by : []],
        Metrics: ofThese.map((Name) => {
          const metric = metrics[Name];
          return 'unit' in metric ? { Name, Unit: metric.unit } : { Name };
        }),
      })),
    },
  };
};
