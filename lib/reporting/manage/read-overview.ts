/** Reads the overview of a project. */
import type { ProjectOverview } from '../../model/project-overview.ts';
import type { Account } from '../../model/user.ts';
import { calendar } from '../../runtime/calendar.ts';
import { findProject, keywordsOf } from '../find.ts';
import { keptOverviewOf } from '../report/overview.ts';
import { readCost } from './read-project.ts';

/** The overview of a project. Throws HttpError 404 if the user has no such project. */
export const readOverview = async (
  user: Account,
  projectId: number,
  now = calendar(),
): Promise<ProjectOverview> => {
  const project = await findProject(user, projectId);
  const cost = await readCost(user, projectId);
  return keptOverviewOf(project, await keywordsOf(projectId), { now, cost });
};
