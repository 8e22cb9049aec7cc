/** An unknown layout: the frame of an ordinary page around unknown markup. */
import { type Html, html } from '../../html.ts';
import { unknownStream } from '../../stream.ts';
import type { PagePlan } from '../plan.ts';
import { foot, head, searchBox } from './frame.ts';

export const driftPage = (plan: PagePlan): Html => html`<!doctype html>
  <html lang="${plan.context.language}">
    ${head(plan.context)}
    <body>
      ${searchBox(plan.context)}
      ${unknownStream(plan)}
      ${foot(plan.context)}
    </body>
  </html>`;
