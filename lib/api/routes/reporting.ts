/** Operations on projects and their tracked keywords. */
import {
  AddedKeywords,
  AddKeywordsQuery,
  AddKeywordsRequest,
  ManagedProject,
  ManagedProjectList,
  ManagedProjectsQuery,
  ProjectChange,
  ProjectParams,
  ProjectRequest,
} from '../../model/reporting.ts';
import { maxKeywordListBytes } from '../../model/request-limits.ts';
import type { Route } from '../route.ts';

export const reportingRoutes = {
  'reporting/create-project': {
    method: 'POST',
    path: '/api/v1/projects',
    auth: 'bearer',
    summary: 'Create a project',
    description:
      'A project tracks the positions of a site, and of its competitors, for keywords that are added to it.',
    body: ProjectRequest,
    alerts: true,
    reply: ManagedProject,
    returns: 'The project, without keywords',
  },
  'reporting/list-managed-projects': {
    method: 'GET',
    path: '/api/v1/projects',
    auth: 'bearer',
    summary: 'List your projects',
    query: ManagedProjectsQuery,
    reply: ManagedProjectList,
    returns: 'A page of the list, oldest first',
  },
  'reporting/read-project': {
    method: 'GET',
    path: '/api/v1/projects/{project_id}',
    auth: 'bearer',
    summary: 'Read a project',
    params: ProjectParams,
    reply: ManagedProject,
    returns: 'The project',
  },
  'reporting/update-project': {
    method: 'PATCH',
    path: '/api/v1/projects/{project_id}',
    auth: 'bearer',
    summary: 'Change or pause a project',
    description:
      'Changes the fields that the body has. A new `domain` or `check_frequency` is for keywords that are added later; new `competitors` are ' +
      'compared from the next crawl on. The keywords of a paused project are not crawled.',
    params: ProjectParams,
    body: ProjectChange,
    alerts: true,
    reply: ManagedProject,
    returns: 'The changed project',
    conflict: 'The project is being changed at the same time. Nothing was changed',
  },
  'reporting/delete-project': {
    method: 'DELETE',
    path: '/api/v1/projects/{project_id}',
    auth: 'bearer',
    summary: 'Delete a project',
    description:
      'The project is gone with the response. Its keywords and their history are deleted within some minutes.',
    params: ProjectParams,
    reply: ManagedProject,
    returns: 'The project as it was',
  },
  'reporting/add-keywords': {
    method: 'POST',
    path: '/api/v1/projects/{project_id}/keywords',
    auth: 'bearer',
    summary: 'Add up to 10,000 keywords to a project',
    description:
      'The list is accepted or rejected as a whole. The body is a JSON array, or CSV (`text/csv`, UTF-8) with a header row of the same field names; an ' +
      'empty cell is a missing field. The `loc` of an error has the number of the row, from 0, and the column. Keywords that the project has ' +
      'already are left out, so a request may be repeated. Each keyword is crawled first within the hour.',
    params: ProjectParams,
    query: AddKeywordsQuery,
    body: AddKeywordsRequest,
    takesCsv: true,
    bodyBytes: maxKeywordListBytes,
    reply: AddedKeywords,
    returns: 'What was added, and what it costs',
    conflict:
      'The project would have more than 20,000 keywords, or is being changed at the same time. `detail` says which',
  },
} as const satisfies Record<`reporting/${string}`, Route>;
