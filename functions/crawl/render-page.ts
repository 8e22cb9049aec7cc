/** State RenderPage: opens a page that was blocked over HTTP in the browser, judges it and stores it. */
import { step } from '../../lib/api/step.ts';
import { renderPage } from '../../lib/crawl/render-page.ts';
import { AnsweredPage, refusedPage } from '../../lib/model/workflow.ts';

export const handler = step(AnsweredPage, (page) => renderPage(page), refusedPage);
