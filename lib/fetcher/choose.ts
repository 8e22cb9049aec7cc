/**
 * Chooses where an engine's pages come from: an origin that the operator set, the sandbox, or the engine
 * itself.
 */
import type { EngineName } from '../model/engine.ts';
import { engineSetting } from '../model/settings.ts';
import { setting } from '../runtime/env.ts';

/**
 * The origin that replaces the engine's own; empty if none is set. It takes precedence over the sandbox and
 * the engine.
 */
export const customOrigin = (engine: EngineName): string => setting(engineSetting(engine, 'ORIGIN'));

export const isSandbox = (engine: EngineName): boolean =>
  !customOrigin(engine) && setting('SEARCH_SOURCE') !== 'live';

/** Whether the pages come from the real engine, which has a polite rate by default. */
export const isRealEngine = (engine: EngineName): boolean => !customOrigin(engine) && !isSandbox(engine);

const ownSource = (engine: EngineName): string => {
  if (isRealEngine(engine)) return 'live';
  return customOrigin(engine) || `sandbox ${setting('SANDBOX_MISFORTUNE')}`.trim();
};

/**
 * Names the source, so that pages of one source never answer a search of another: the custom origin, `live`,
 * or `sandbox` with the misfortune that all its queries have. A custom origin of the upstream provider is
 * part of the name, because some pages may come from there.
 */
export const sourceName = (engine: EngineName): string => {
  const upstream = setting('UPSTREAM_ORIGIN');
  return upstream === '' ? ownSource(engine) : `${ownSource(engine)}, upstream ${upstream}`;
};
