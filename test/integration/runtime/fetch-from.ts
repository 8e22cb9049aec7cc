/** A fetch from a server of the test, which is exempt from the guard. */
import { fetchPage, type PageRequest } from '../../../lib/runtime/fetch-page.ts';

export const fetchFrom = (origin: string, path = '/', more: Partial<PageRequest> = {}) =>
  fetchPage({ url: origin + path, headers: {}, deadlineMs: 2000, exempt: origin, ...more });

export const html = '<html><body>Grüße</body></html>';
