/** Where keyword data comes from: an origin that the operator set, the sandbox, or Google Ads itself. */
import { origin } from '../../provider/google-ads/call.ts';
import { setting } from '../../runtime/env.ts';

/** The origin that replaces that of Google Ads; empty if none is set. It takes precedence over the sandbox and Google Ads. */
export const customOrigin = (): string => setting('ADS_ORIGIN');

export const isSandbox = (): boolean => !customOrigin() && setting('SEARCH_SOURCE') !== 'live';

/** Names the source, so that its stored metrics never answer for another one. */
export const sourceName = (): string => {
  if (isSandbox()) return `sandbox ${setting('SANDBOX_MISFORTUNE')}`.trim();
  return customOrigin() || origin;
};

/** How long stored metrics answer later requests; 0 if they do not. */
export const reuseSeconds = (): number => Number(setting('METRICS_HOURS')) * 3600;
