/** State ParseTask: reads the stored pages and writes the task's final state. */
import { step } from '../../lib/api/step.ts';
import { parseTask, unparsed } from '../../lib/crawl/parse-task.ts';
import { CrawledTask } from '../../lib/model/workflow.ts';

const parse = ({ first, crawled, ...run }: CrawledTask) => parseTask(run, [...first, ...crawled]);

export const handler = step(CrawledTask, parse, unparsed);
