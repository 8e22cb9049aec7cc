/** The references of a generated overview. */
import type { Reference } from '../model/overview.ts';
import { hostOf } from './host.ts';

/** Numbers the references in page order. `titles`: address → title, each address once. */
export const referencesOf = (titles: ReadonlyMap<string, string>): Reference[] =>
  [...titles].map(([url, title], n) => ({ position: n + 1, title, url, domain: hostOf(url) }));
