/** An unknown layout: the results are in markup that no parser rule matches. */
import { type Html, html } from '../../html.ts';
import type { PagePlan } from '../plan.ts';
import { foot, head, searchBox } from './frame.ts';

export const driftPage = ({ context, blocks }: PagePlan): Html => html`<!doctype html>
  <html lang="${context.language}">
    ${head(context)}
    <body>
      ${searchBox(context)}
      <main id="stream">
        ${blocks
          .flatMap((block) => (block.type === 'organic' ? block.items : []))
          .map(
            (item) => html`
          <article>
            <q-lead><b>${item.title}</b></q-lead>
            <q-body>${item.snippet}</q-body>
            <q-go data-target="${Buffer.from(item.url).toString('base64url')}">${item.breadcrumb}</q-go>
          </article>`,
          )}
      </main>
      ${foot(context)}
    </body>
  </html>`;
