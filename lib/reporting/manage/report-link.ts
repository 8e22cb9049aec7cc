/** Makes and ends links to the report of a project. */
import { reportEnd, reportLink } from '../../access/report-link.ts';
import { HttpError } from '../../model/http-error.ts';
import type { ReportLink, ReportLinkRequest } from '../../model/report-link.ts';
import type { Project } from '../../model/tracking.ts';
import type { Account } from '../../model/user.ts';
import { clock } from '../../runtime/clock.ts';
import { writeProject } from '../../store/projects.ts';
import { findProject } from '../find.ts';

/** Tries of a change that meets other changes. */
const changeTries = 10;

/** The project after the links to its report have ended. */
const endLinks = async (user: Account, projectId: number): Promise<Project> => {
  for (let tries = 0; tries < changeTries; tries++) {
    const project = await findProject(user, projectId);
    const changed = { ...project, report_links_ended: (project.report_links_ended ?? 0) + 1 };
    if (await writeProject(changed)) return changed;
  }
  throw new HttpError(409, 'The project is being changed at the same time: send the request again');
};

/**
 * A link to the report of a project.
 * @throws HttpError 404 if the user has no such project, 409 if it is changed at the same time again and
 * again.
 */
export const createReportLink = async (
  user: Account,
  projectId: number,
  { days, end_former }: ReportLinkRequest,
  baseUrl: string,
  now = clock(),
): Promise<ReportLink> => {
  const project = end_former ? await endLinks(user, projectId) : await findProject(user, projectId);
  const expires_at = reportEnd(days, now);
  const of = { project_id: projectId, ended: project.report_links_ended ?? 0 };
  return { report_url: reportLink(baseUrl, of, user, expires_at), expires_at };
};
