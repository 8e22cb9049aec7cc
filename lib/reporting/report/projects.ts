/** Projects in the reporting interface. */
import type { ReportProject, ReportProjectList, ReportProjectReply } from '../../model/report.ts';
import {
  defaultPageSize,
  type ReportProjectQuery,
  type ReportProjectsQuery,
} from '../../model/report-query.ts';
import type { Project, TrackedKeyword } from '../../model/tracking.ts';
import type { Account } from '../../model/user.ts';
import { calendar } from '../../runtime/calendar.ts';
import { inParallel } from '../../runtime/in-parallel.ts';
import { listProjects } from '../../store/projects.ts';
import { findProject, keywordsOf } from '../find.ts';
import { keywordPart, pageRequest } from './keywords.ts';
import { edgeIn, type Key, type Part, pageOf } from './page.ts';
import { allKeywords } from './select-keywords.ts';
import { locationOf } from './show-keyword.ts';
import { statsOf } from './stats.ts';

/** Reading 39: `locations` names the places of the keywords, in alphabetical order. */
const reportOf = (
  { project_id, name, check_frequency }: Project,
  keywords: readonly TrackedKeyword[],
): ReportProject => ({
  project_id,
  name,
  locations: [...new Set(keywords.map(locationOf))].toSorted().join(', '),
  check_frequency,
});

/** Projects whose keywords are read at a time. */
const listWidth = 8;

const projectKey = ({ project_id }: Project): Key => [0, project_id];

const projectsAt = async (
  user: Account,
  edge: ReturnType<typeof edgeIn>,
  size: number,
): Promise<Part<Project>> => {
  // One more than the page has, to know whether the list goes on.
  const limit = size + 1;
  if (edge?.side === 'before') {
    const before = edge.key?.[1] ?? Number.MAX_SAFE_INTEGER;
    const found = await listProjects(user.id, { before, limit });
    return { items: found.slice(-size), hasBefore: found.length > size, hasAfter: edge.key !== null };
  }
  const found = await listProjects(user.id, { after: edge?.key[1], limit });
  return { items: found.slice(0, size), hasBefore: edge !== undefined, hasAfter: found.length > size };
};

/** A page of the user's projects, oldest first. */
export const listReportProjects = async (
  user: Account,
  { cursor, fields, per_page }: ReportProjectsQuery,
  baseUrl: string,
): Promise<ReportProjectList> => {
  const list = 'reporting/projects';
  const part = await projectsAt(user, edgeIn(user, list, cursor), per_page);
  const keywords = new Map<Project, readonly TrackedKeyword[]>();
  await inParallel(part.items, listWidth, async (project) => {
    keywords.set(project, await keywordsOf(project.project_id));
  });
  const path = `${baseUrl}/api/reporting/projects`;
  return {
    data: part.items.map((project) => reportOf(project, keywords.get(project) ?? [])),
    ...pageOf({ user, list, path, query: { per_page, fields } }, part, projectKey),
  };
};

const hasWord = (words: string, wanted: string): boolean =>
  words.split(',').some((word) => word.trim() === wanted);

/**
 * A project with the figures of its keywords, and with its first keywords if the query includes them.
 * @throws HttpError 404 if the user has no such project.
 */
export const showReportProject = async (
  user: Account,
  projectId: number,
  { include }: ReportProjectQuery,
  now = calendar(),
): Promise<ReportProjectReply> => {
  const project = await findProject(user, projectId);
  const keywords = await keywordsOf(projectId);
  const data = { ...reportOf(project, keywords), stats: statsOf(project, keywords) };
  if (!hasWord(include, 'keywords')) return { data };
  const page = pageRequest(user, projectId, { ...allKeywords, per_page: defaultPageSize });
  const part = keywordPart(page, { project, keywords }, now);
  return {
    data,
    included: {
      keywords: part.items.map(({ keyword }) => ({ name: keyword })),
      keywords_meta: {
        per_page: defaultPageSize,
        next_cursor: part.meta.next_cursor,
        has_more: part.meta.has_more,
      },
    },
  };
};
