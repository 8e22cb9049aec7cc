/** When the recorder looks at a task again, and which volumes are old. */
import { expect, test } from 'vitest';
import { checkSeconds } from '../../../../lib/reporting/run/check-time.ts';
import { lacksVolumes } from '../../../../lib/reporting/run/lacks-volumes.ts';
import { day } from '../keywords.ts';

test.each([
  [0, 90],
  [1, 180],
  [2, 360],
  [4, 1440],
  [5, 1800],
  [30, 1800],
])('after %i looks, the next one is in %i s', (checks, seconds) => {
  expect(checkSeconds(checks)).toBe(seconds);
});

const volumes = { local_sv: 1, global_sv: 1, cpc: 1, at: 1000 };

test.each([
  [null, 0, true],
  [volumes, 1000 + 30 * day - 1, false],
  [volumes, 1000 + 30 * day, true],
])('the volumes %j are missing or old at %i: %s', (present, now, expected) => {
  expect(lacksVolumes({ volumes: present as typeof volumes | null }, now)).toBe(expected);
});
