/** State PlanPages: claims the task and returns the pages to fetch. */
import { step } from '../../lib/api/step.ts';
import { planPages, unplanned } from '../../lib/crawl/plan-pages.ts';
import { TaskKey } from '../../lib/model/workflow.ts';

export const handler = step(TaskKey, (key) => planPages(key), unplanned);
