/**
 * Renders pages of a loopback server as the crawler would. Only the origin of that server is exempt from the
 * guard.
 */
import { browserIdentityFor } from '../../../lib/fetcher/identity.ts';
import { type RenderRequest, renderHtml } from '../../../lib/net/render-html.ts';

/** Takes a page that contains `id="done"` at once, and waits for any other page to change. */
export const patienceMs: RenderRequest['patienceMs'] = ({ body }) => (body.includes('id="done"') ? 0 : 9000);

export const render = (url: string, more: Partial<RenderRequest> = {}) =>
  renderHtml({
    url,
    exempt: new URL(url).origin,
    identity: browserIdentityFor('desktop', 'en', 'US'),
    deadlineMs: 30_000,
    totalMs: 60_000,
    patienceMs,
    ...more,
  });

/** A complete page with the given body. */
export const html = (body: string): string =>
  `<!DOCTYPE html><html><head><title>page</title></head><body>${body}</body></html>`;

export const good = html('<p id="done">whole</p>');
