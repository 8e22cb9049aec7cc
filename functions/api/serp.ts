/** The area `serp`: search tasks, their stored pages, and the places that they can name. */
import { area } from '../../lib/api/area.ts';
import { handler as createBatch } from './serp/create-batch.ts';
import { handler as createGoogleBatch } from './serp/create-google-batch.ts';
import { handler as createGoogleTask } from './serp/create-google-task.ts';
import { handler as createTask } from './serp/create-task.ts';
import { handler as findLocations } from './serp/find-locations.ts';
import { handler as openPage } from './serp/open-page.ts';
import { handler as readGoogleTask } from './serp/read-google-task.ts';
import { handler as readHtml } from './serp/read-html.ts';
import { handler as readTask } from './serp/read-task.ts';
import { handler as receivePingback } from './serp/receive-pingback.ts';

export const handler = area([
  createTask,
  createBatch,
  readTask,
  readHtml,
  createGoogleTask,
  createGoogleBatch,
  readGoogleTask,
  findLocations,
  openPage,
  receivePingback,
]);
