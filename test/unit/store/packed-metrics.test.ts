import { expect, onTestFinished, test } from 'vitest';
import { type Layout, layouts } from '../../../lib/store/layouts.ts';
import { packMetrics, unpackMetrics } from '../../../lib/store/packed-metrics.ts';

const metrics = {
  volume: 12100,
  competition: 'HIGH',
  competitionIndex: 87,
  lowBidMicros: 860000,
  highBidMicros: null,
  months: [{ year: 2026, month: 10, searches: 14800 }],
} as const;

const present: Layout = layouts.metrics;
const { rowVersion, readableVersion } = present;

/** Makes this the release after the one that has written what was packed before. */
const release = (): void => {
  present.rowVersion += 1;
  present.readableVersion += 1;
  onTestFinished(() => {
    Object.assign(present, { rowVersion, readableVersion });
  });
};

test('packed metrics are read', () => {
  expect(unpackMetrics(packMetrics({ ...metrics, months: [...metrics.months] }))).toEqual(metrics);
});

test('the next release reads the metrics that this one has written', () => {
  const packed = packMetrics({ ...metrics, months: [...metrics.months] });
  release();

  expect(unpackMetrics(packed)).toEqual(metrics);
});

test('metrics of a later release are as good as none', () => {
  release();
  const packed = packMetrics({ ...metrics, months: [...metrics.months] });
  Object.assign(present, { rowVersion, readableVersion });

  expect(unpackMetrics(packed)).toBeUndefined();
});
