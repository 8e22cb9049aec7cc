/** The present order of an engine's fetchers. It reads whether there is a login for the provider. */
import type { EngineName } from '../model/engine.ts';
import type { FetcherName } from '../model/fetchers.ts';
import { orderOf } from './order.ts';
import { fetcherSettings } from './settings.ts';
import { isUpstreamOffered } from './upstream-offer.ts';

/** The present order of an engine. */
export const presentOrder = async (engine: EngineName): Promise<FetcherName[]> => {
  const { order } = await fetcherSettings(engine);
  const hasUpstream = order?.includes('upstream') === true && (await isUpstreamOffered(engine));
  return orderOf(engine, order, hasUpstream);
};
