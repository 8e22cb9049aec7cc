/** The sources of volumes and ideas. `VOLUMES_SOURCE` chooses one by its name. */
import type { VolumeSource } from '../contract.ts';
import { googleAds } from '../google-ads/source.ts';

export const volumeSources: Record<string, VolumeSource> = {
  'google-ads': googleAds,
};
