/** The resources: stored result pages as text, and projects. They are those of the caller only. */
import type {
  ListResourcesResult,
  ReadResourceResult,
  Resource,
  ResourceTemplate,
} from '@modelcontextprotocol/sdk/types.js';
import { listStored, type StoredSearch } from '../crawl/list-stored.ts';
import { HttpError } from '../model/http-error.ts';
import { listPageSize } from '../model/request-limits.ts';
import type { Account } from '../model/user.ts';
import { findProject, keywordsOf } from '../reporting/find.ts';
import { managed, showProjects } from '../reporting/manage/projects.ts';
import { summaryOfWeek } from '../reporting/report/summary.ts';
import { calendar } from '../runtime/calendar.ts';
import { plain, shortened, textOf } from './answer.ts';
import { isoTime } from './origin.ts';
import { readPageText } from './read-page.ts';

/** The code of the protocol for a resource that does not exist. */
export const notFoundCode = -32_002;

const scheme = 'search-ranking';
const markdown = 'text/markdown';
const json = 'application/json';

const pageUri = (task: number | string, page: number | string): string =>
  `${scheme}://tasks/${task}/pages/${page}`;
const projectUri = (id: number | string): string => `${scheme}://projects/${id}`;

export const resourceTemplates: readonly ResourceTemplate[] = [
  {
    uriTemplate: pageUri('{task_id}', '{page}'),
    name: 'stored_page',
    title: 'Stored result page',
    description: 'The text of a result page that a search has stored. It quotes untrusted text from the web.',
    mimeType: markdown,
  },
  {
    uriTemplate: projectUri('{project_id}'),
    name: 'project',
    title: 'Project',
    description: 'The settings of a project of rank tracking, and the summary of its week.',
    mimeType: json,
  },
];

/** Characters of a name or a keyword in a list. */
const nameLength = 100;

/** The first stored page of a search. The template names the others. */
const firstPageOf = ({ id, keyword, iso_code, engine, pages, crawled_at }: StoredSearch): Resource[] =>
  pages
    .filter(({ html }) => html)
    .slice(0, 1)
    .map(({ page }) => ({
      uri: pageUri(id, page),
      name: `task-${id}-page-${page}`,
      title: `${shortened(keyword, nameLength)} (${engine}, ${plain(iso_code)}), page ${page}`,
      mimeType: markdown,
      annotations: { lastModified: isoTime(crawled_at) },
    }));

/**
 * The first pages of the user's 25 newest searches, and the projects. `cursor`: of a further list, which has
 * projects only.
 * @throws HttpError 422 if the cursor is not one of this list.
 */
export const listResources = async (user: Account, cursor = ''): Promise<ListResourcesResult> => {
  const projects = await showProjects(user, { per_page: listPageSize, cursor });
  const searches = cursor === '' ? await listStored(user) : [];
  return {
    resources: [
      ...projects.data.map(({ project_id, name, domain }) => ({
        uri: projectUri(project_id),
        name: `project-${project_id}`,
        title: `${shortened(name, nameLength)} (${shortened(domain, nameLength)})`,
        mimeType: json,
      })),
      ...searches.flatMap(firstPageOf),
    ],
    ...(projects.cursor !== null && { nextCursor: projects.cursor }),
  };
};

/** About how many tokens the text of a page may have: as many as `read_page` gives. */
const maxTokens = 20_000;

const readProject = async (user: Account, id: number, uri: string): Promise<ReadResourceResult> => {
  const project = await findProject(user, id);
  const summary = summaryOfWeek(project, await keywordsOf(id), calendar());
  return {
    contents: [
      { uri, mimeType: json, text: JSON.stringify(managed(project)) },
      { uri: `${uri}#summary`, mimeType: markdown, text: summary },
    ],
  };
};

const readPage = async (
  user: Account,
  task: number,
  page: number,
  uri: string,
): Promise<ReadResourceResult> => {
  const text = textOf(await readPageText(user, task, page), maxTokens, 'No answer is longer.');
  return { contents: [{ uri, mimeType: markdown, text }] };
};

const pagePattern = /^search-ranking:\/\/tasks\/(\d{1,16})\/pages\/(\d{1,4})$/;
const projectPattern = /^search-ranking:\/\/projects\/(\d{1,16})$/;

/** The ids in a URI. A number beyond 2^53 becomes -1, which is the id of no resource. */
const idsIn = (pattern: RegExp, uri: string): number[] =>
  (pattern.exec(uri) ?? []).slice(1).map((digits) => {
    const id = Number(digits);
    return Number.isSafeInteger(id) ? id : -1;
  });

/**
 * What a URI names. Another user's task or project is not found, exactly as an unknown one.
 * @throws HttpError 404 if there is no such resource, and as `readPageText`.
 */
export const readResource = async (user: Account, uri: string): Promise<ReadResourceResult> => {
  const [task, page] = idsIn(pagePattern, uri);
  if (task !== undefined && page !== undefined) return readPage(user, task, page, uri);
  const [project] = idsIn(projectPattern, uri);
  if (project !== undefined) return readProject(user, project, uri);
  const forms = resourceTemplates.map(({ uriTemplate }) => uriTemplate).join(' and ');
  throw new HttpError(404, `There is no resource with this URI: the forms are ${forms}`);
};
