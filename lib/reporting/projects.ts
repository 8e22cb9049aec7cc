/** Projects as their owners manage them (Reading 40). */
import { HttpError } from '../model/http-error.ts';
import type { ManagedProject, ProjectRequest } from '../model/reporting.ts';
import type { Project } from '../model/tracking.ts';
import type { Account } from '../model/user.ts';
import { clock } from '../runtime/clock.ts';
import { readProject, reserveIds, writeProject } from '../store/projects.ts';
import { taskId } from '../task/id.ts';

type Owner = Pick<Account, 'id'>;

const managed = ({ user_id: _, chunks, revision, ...project }: Project): ManagedProject => project;

/** Ids of projects and keywords, in order. Like those of tasks, they sort by time; unlike them, no two users have the same. */
export const newIds = async (count: number, now: number): Promise<number[]> => {
  const first = await reserveIds(count);
  return Array.from({ length: count }, (_, n) => taskId(now, first + n));
};

export const createProject = async (
  user: Owner,
  request: ProjectRequest,
  now = clock(),
): Promise<ManagedProject> => {
  const [project_id = 0] = await newIds(1, now);
  const project: Project = {
    user_id: user.id,
    project_id,
    ...request,
    competitors: [...new Set(request.competitors)],
    paused: false,
    created_at: now,
    chunks: 0,
    revision: 0,
  };
  await writeProject(project);
  return managed(project);
};

/** @throws HttpError 404 if the user has no such project. */
export const findProject = async (user: Owner, projectId: number): Promise<Project> => {
  const project = await readProject(user.id, projectId);
  if (!project) throw new HttpError(404, 'Project not found');
  return project;
};

/** @throws HttpError 404 if the user has no such project. */
export const showProject = async (user: Owner, projectId: number): Promise<ManagedProject> =>
  managed(await findProject(user, projectId));
