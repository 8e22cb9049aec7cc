/**
 * The metrics of the service, and how a log line carries them in CloudWatch's embedded format. Each combination of dimensions is a
 * metric that is billed for itself, so there are few.
 */
import { engineNames } from '../model/engine.ts';

/** Dimensions by name, and the unit of what is no number of things. The dimensions are fields of the line. 0 or 1: the average is a rate, the count of samples its ground. */
export const metrics = {
  TasksAccepted: { by: [] },
  /** 1 where a task ended in `success`, 0 where in `error` or `dead_letter`. */
  TaskSucceeded: { by: ['engine'] },
  /** From creation to the final state. */
  TaskSeconds: { unit: 'Seconds', by: ['engine'] },
  TasksPutOff: { by: ['engine'] },
  /** 1 for each fetch that brought a page of results, or one that says that there are none. */
  PageFetched: { by: ['engine', 'route'] },
  /** 1 for each fetch that the engine walled off. */
  PageBlocked: { by: ['engine', 'route'] },
  PageMilliseconds: { unit: 'Milliseconds', by: ['engine', 'route'] },
  LinksAsked: { by: ['engine'] },
  LinksFound: { by: ['engine'] },
  EngineRests: { by: ['engine'] },
  /** 1 for each attempt at a webhook that was taken. */
  DeliverySucceeded: { by: [] },
  DeliveryMilliseconds: { unit: 'Milliseconds', by: [] },
  DeliveriesParked: { by: [] },
  /** Age of the oldest task that is not final and that nobody works on; 0 where there is none. Each sweep says it. */
  OldestTaskSeconds: { unit: 'Seconds', by: [] },
  TasksTakenUp: { by: [] },
} as const satisfies Record<
  string,
  { by: readonly ('engine' | 'route')[]; unit?: 'Seconds' | 'Milliseconds' }
>;

/** The values that the dimensions take: dashboard and alarms are made for each. */
export const engines = engineNames;
export const routes = ['http', 'browser'] as const;

export type MetricName = keyof typeof metrics;

export type Measured = Partial<Record<MetricName, number>>;

const isMetric = (name: string): name is MetricName => name in metrics;

/** What makes metrics of a line's fields when CloudWatch reads it, and their values. All of a line have the same dimensions. */
export const embed = (measured: Measured, namespace: string, timestamp: number) => {
  const names = Object.keys(measured).filter(isMetric);
  const [first] = names;
  return {
    ...measured,
    _aws: {
      Timestamp: timestamp,
      CloudWatchMetrics: [
        {
          Namespace: namespace,
          Dimensions: [first ? metrics[first].by : []],
          Metrics: names.map((Name) => {
            const metric = metrics[Name];
            return 'unit' in metric ? { Name, Unit: metric.unit } : { Name };
          }),
        },
      ],
    },
  };
};
