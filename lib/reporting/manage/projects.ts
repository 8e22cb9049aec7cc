/** Projects as their owners manage them (Reading 40). */
import { makeCursor, readCursor } from '../../access/cursor.ts';
import { mailRefusal } from '../../access/mail-receiver.ts';
import { HttpError, type ValidationError } from '../../model/http-error.ts';
import type {
  ManagedProject,
  ManagedProjectList,
  ManagedProjectsQuery,
  ProjectChange,
  ProjectRequest,
} from '../../model/project.ts';
import { uniqueSites } from '../../model/site.ts';
import type { AlertRule, Project } from '../../model/tracking.ts';
import type { Account } from '../../model/user.ts';
import { calendar } from '../../runtime/calendar.ts';
import { clock } from '../../runtime/clock.ts';
import { timeLimit } from '../../runtime/time-limit.ts';
import { beginWork, type ProjectWork } from '../../store/project-work.ts';
import { listProjects, writeProject } from '../../store/projects.ts';
import { findProject } from '../find.ts';
import { finishWork } from '../finish-work.ts';
import { newIds } from '../new-ids.ts';

type Owner = Pick<Account, 'id'>;
type Writer = Owner & { email?: string };

/** @throws HttpError 422 that names each address of the rule to which the service sends no mail. */
const refuseAddresses = (user: Writer, rule: Pick<AlertRule, 'email'> | null | undefined): void => {
  const errors = (rule?.email ?? []).flatMap((address, n): ValidationError[] => {
    const reason = mailRefusal(address, user);
    return reason
      ? [{ loc: ['body', 'alerts', 'email', n], type: 'value_error', msg: `Value error, ${reason}` }]
      : [];
  });
  if (errors.length > 0) throw new HttpError(422, errors);
};

/** The fields that the rules of former releases do not have. */
const withDefaults = ({
  direction = 'all',
  tag = null,
  format = 'standard',
  email = [],
  weekly_summary = false,
}: AlertRule) => ({
  email,
  weekly_summary,
  direction,
  tag,
  format,
});

/** A project as its owner manages it. */
export const managed = ({
  user_id: _,
  chunks,
  revision,
  report_links_ended: _ended,
  click_rates = null,
  alerts,
  ...project
}: Project): ManagedProject => ({
  ...project,
  alerts: alerts && { ...alerts, ...withDefaults(alerts) },
  click_rates,
});

/** @throws HttpError 422 if the rule of alerts has an address to which the service sends no mail. */
export const createProject = async (
  user: Writer,
  request: ProjectRequest,
  now = calendar(),
): Promise<ManagedProject> => {
  refuseAddresses(user, request.alerts);
  const [project_id = 0] = await newIds(1, now);
  const project: Project = {
    user_id: user.id,
    project_id,
    ...request,
    competitors: uniqueSites(request.competitors),
    paused: false,
    created_at: now,
    chunks: 0,
    revision: 0,
  };
  await writeProject(project);
  return managed(project);
};

/** @throws HttpError 404 if the user has no such project. */
export const showProject = async (user: Owner, projectId: number): Promise<ManagedProject> =>
  managed(await findProject(user, projectId));

const listName = 'managed-projects';

/**
 * A page of a user's projects, oldest first.
 * @throws HttpError 422 if the cursor is not one of this list.
 */
export const showProjects = async (
  user: Account,
  { per_page, cursor }: ManagedProjectsQuery,
): Promise<ManagedProjectList> => {
  const after = readCursor(user, listName, cursor);
  // One more than the page has, to learn whether there is another page.
  const projects = await listProjects(user.id, { after, limit: per_page + 1 });
  const page = projects.slice(0, per_page);
  const last = page.at(-1);
  return {
    data: page.map(managed),
    cursor: last && projects.length > per_page ? makeCursor(user, listName, last.project_id) : null,
  };
};

/** Tries of a change that meets other changes. */
const changeTries = 10;

/** Seconds for which a request removes what is left of a project that was deleted meanwhile. */
const resumeSeconds = 10;

/**
 * Changes a project. The keywords of one that goes on after a pause are crawled within the hour if they are
 * due.
 * @throws HttpError 404 if the user has no such project, 409 if it is changed at the same time again and
 * again, 422 as `createProject`.
 */
export const changeProject = async (
  user: Writer,
  projectId: number,
  change: ProjectChange,
): Promise<ManagedProject> => {
  refuseAddresses(user, change.alerts);
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  let work: ProjectWork | undefined;
  for (let tries = 0; tries < changeTries; tries++) {
    const before = await findProject(user, projectId);
    const project: Project = { ...before, ...given };
    const changed = { ...project, competitors: uniqueSites(project.competitors) };
    // Recorded first: if the process dies after the project goes on, a scheduled function schedules its
    // keywords. The record stays for the next try: the SDK repeats a write whose answer is lost, and that
    // project goes on already.
    if (before.paused && !changed.paused) work ??= await beginWork('resume', project, clock());
    if (!(await writeProject(changed))) continue;
    if (work) await finishWork(work, timeLimit(resumeSeconds));
    return managed(changed);
  }
  throw new HttpError(409, 'The project is being changed at the same time: send the request again');
};

/** Seconds for which a request removes keywords. A scheduled function removes the rest. */
const removalSeconds = 10;

/**
 * Deletes a project with its keywords and their history, and returns what it was. From then on, it is
 * unknown.
 * @throws HttpError 404 if the user has no such project.
 */
export const removeProject = async (
  user: Owner,
  projectId: number,
  now = clock(),
): Promise<ManagedProject> => {
  const project = await findProject(user, projectId);
  // Recorded first: if the process dies after the project is gone, no other record names its keywords.
  const work = await beginWork('remove', project, now);
  await finishWork(work, timeLimit(removalSeconds));
  return managed(project);
};
