/** Fetches from a server of the test, which is exempt from the guard. The default deadline is long. */
import { getHtml, type PageRequest } from '../../../lib/net/get-html.ts';

export const fetchFrom = (origin: string, path = '/', more: Partial<PageRequest> = {}) =>
  getHtml({ url: origin + path, headers: {}, deadlineMs: 10_000, exempt: origin, ...more });

export const html = '<html><body>Grüße</body></html>';
