/** The area `serp`: search tasks and their stored pages. */
import { area } from '../../lib/api/area.ts';
import { handler as createBatch } from './serp/create-batch.ts';
import { handler as createGoogleBatch } from './serp/create-google-batch.ts';
import { handler as createGoogleTask } from './serp/create-google-task.ts';
import { handler as createLiveTask } from './serp/create-live-task.ts';
import { handler as createTask } from './serp/create-task.ts';
import { handler as listGoogleTasks } from './serp/list-google-tasks.ts';
import { handler as listTasks } from './serp/list-tasks.ts';
import { handler as openPage } from './serp/open-page.ts';
import { handler as readBatch } from './serp/read-batch.ts';
import { handler as readBatchResults } from './serp/read-batch-results.ts';
import { handler as readDeliveries } from './serp/read-deliveries.ts';
import { handler as readGoogleDeliveries } from './serp/read-google-deliveries.ts';
import { handler as readGoogleTask } from './serp/read-google-task.ts';
import { handler as readHtml } from './serp/read-html.ts';
import { handler as readTask } from './serp/read-task.ts';
import { handler as readUsage } from './serp/read-usage.ts';
import { handler as receivePingback } from './serp/receive-pingback.ts';
import { handler as sendGooglePostback } from './serp/send-google-postback.ts';
import { handler as sendPostback } from './serp/send-postback.ts';

export const handler = area([
  createTask,
  createLiveTask,
  createBatch,
  listTasks,
  readTask,
  readHtml,
  createGoogleTask,
  createGoogleBatch,
  listGoogleTasks,
  readGoogleTask,
  readDeliveries,
  readGoogleDeliveries,
  sendGooglePostback,
  sendPostback,
  readBatch,
  readBatchResults,
  readUsage,
  openPage,
  receivePingback,
]);
