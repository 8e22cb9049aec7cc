/** A layout of no year: the results of a page in markup that no rule can know. */
import { type Html, html } from '../../html.ts';
import type { PagePlan } from '../plan.ts';
import { foot, head, searchBox } from './frame.ts';

export const driftPage = ({ scene, blocks }: PagePlan): Html => html`<!doctype html>
  <html lang="${scene.language}">
    ${head(scene)}
    <body>
      ${searchBox(scene)}
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
      ${foot(scene)}
    </body>
  </html>`;
