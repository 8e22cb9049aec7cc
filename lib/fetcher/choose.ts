/** Names where pages come from, so that what one source said is never taken for the answer of another. */
import { setting } from '../runtime/env.ts';

/** The origin set for Google, `live`, or `sandbox` with the misfortune that all its queries have. */
export const googleSourceName = (): string =>
  setting('GOOGLE_ORIGIN') ||
  (setting('SEARCH_SOURCE') === 'live' ? 'live' : `sandbox ${setting('SANDBOX_MISFORTUNE')}`.trim());
