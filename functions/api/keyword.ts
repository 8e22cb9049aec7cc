/** The area `keyword`: keyword data, the places and engines that requests name, and sample webhooks. */
import { area } from '../../lib/api/area.ts';
import { handler as createIdeasTask } from './keyword/create-ideas-task.ts';
import { handler as createVolumeTasks } from './keyword/create-volume-tasks.ts';
import { handler as exploreDataforseoTrends } from './keyword/explore-dataforseo-trends.ts';
import { handler as findDataforseoIdeas } from './keyword/find-dataforseo-ideas.ts';
import { handler as findDataforseoVolumes } from './keyword/find-dataforseo-volumes.ts';
import { handler as findLocations } from './keyword/find-locations.ts';
import { handler as findVolumes } from './keyword/find-volumes.ts';
import { handler as listDataforseoKeywords } from './keyword/list-dataforseo-keywords.ts';
import { handler as listEngines } from './keyword/list-engines.ts';
import { handler as listVolumeTasks } from './keyword/list-volume-tasks.ts';
import { handler as postDataforseoKeywords } from './keyword/post-dataforseo-keywords.ts';
import { handler as readDataforseoKeywords } from './keyword/read-dataforseo-keywords.ts';
import { handler as readIdeasTask } from './keyword/read-ideas-task.ts';
import { handler as readVolumeTask } from './keyword/read-volume-task.ts';
import { handler as suggest } from './keyword/suggest.ts';
import { handler as testWebhook } from './keyword/test-webhook.ts';
import { handler as trends } from './keyword/trends.ts';

export const handler = area([
  createVolumeTasks,
  listVolumeTasks,
  findVolumes,
  readVolumeTask,
  createIdeasTask,
  readIdeasTask,
  findLocations,
  listEngines,
  suggest,
  trends,
  testWebhook,
  findDataforseoVolumes,
  readDataforseoKeywords,
  listDataforseoKeywords,
  postDataforseoKeywords,
  findDataforseoIdeas,
  exploreDataforseoTrends,
]);
