/** Results in markup that no rule of a parser matches, for pages in an unknown layout. */
import { type Html, html } from './html.ts';
import type { PagePlan } from './plan.ts';

export const unknownStream = ({ blocks }: PagePlan): Html => html`
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
  </main>`;
