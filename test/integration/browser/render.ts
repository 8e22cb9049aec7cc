/** Renders pages of a loopback server as the crawler would: its origin is exempt, and nothing else on loopback is. */
import { browserIdentityFor } from '../../../lib/fetcher/identity.ts';
import { type RenderRequest, renderHtml } from '../../../lib/net/render-html.ts';

/** Takes a page that says `<p id="done">`, and waits a while for any other. */
export const patienceMs: RenderRequest['patienceMs'] = ({ body }) => (body.includes('id="done"') ? 0 : 9000);

export const render = (url: string, more: Partial<RenderRequest> = {}) =>
  renderHtml({
    url,
    exempt: new URL(url).origin,
    identity: browserIdentityFor('desktop', 'en', 'US'),
    deadlineMs: 30_000,
    patienceMs,
    ...more,
  });

/** A whole page around the given markup. */
export const html = (body: string): string =>
  `<!DOCTYPE html><html><head><title>page</title></head><body>${body}</body></html>`;

export const good = html('<p id="done">whole</p>');
