/** State ResolveLinks: asks the engine once for the target of each hidden link of a fetched page. */
import { step } from '../../lib/api/step.ts';
import { resolveLinks } from '../../lib/crawl/resolve-links.ts';
import { AnsweredPage, refusedPage } from '../../lib/model/workflow.ts';

export const handler = step(AnsweredPage, resolveLinks, refusedPage);
