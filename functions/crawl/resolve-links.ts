/** State ResolveLinks: asks once where each hidden link of a fetched page leads. */
import { step } from '../../lib/api/step.ts';
import { resolveLinks } from '../../lib/crawl/resolve-links.ts';
import { AnsweredPage } from '../../lib/model/workflow.ts';

export const handler = step(AnsweredPage, resolveLinks);
