/**
 * The source of volumes and ideas that the settings choose, and where it is: at an origin that the operator
 * set, in the sandbox, or real.
 */
import type { VolumeSource } from '../../provider/contract.ts';
import { chosenSource } from '../../provider/sources/chosen.ts';
import { volumeSources } from '../../provider/sources/volumes.ts';
import { setting } from '../../runtime/env.ts';

/** @throws if there is no source of the name that the operator has set. */
export const volumeSource = (): VolumeSource =>
  chosenSource(volumeSources, 'VOLUMES_SOURCE', setting('VOLUMES_SOURCE'));

/**
 * The origin that replaces that of the source; empty if none is set. It takes precedence over the sandbox and
 * the real source.
 */
export const customOrigin = (): string => setting('ADS_ORIGIN');

export const isSandbox = (): boolean => !customOrigin() && setting('SEARCH_SOURCE') !== 'live';

/** Names the source and its place, so that its stored metrics never answer for another one. */
export const placeOfSource = (): string => {
  const place = isSandbox() ? `sandbox ${setting('SANDBOX_MISFORTUNE')}`.trim() : customOrigin() || 'live';
  return `${volumeSource().name} ${place}`;
};

/** How long stored metrics answer later requests; 0 if they do not. */
export const reuseSeconds = (): number => Number(setting('METRICS_HOURS')) * 3600;
