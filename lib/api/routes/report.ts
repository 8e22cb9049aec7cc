/** Operations that read the positions of tracked keywords. */
import { FormHeaders } from '../../model/forms.ts';
import {
  HistoryList,
  ReportKeywordList,
  ReportKeywordReply,
  ReportProjectList,
  ReportProjectReply,
} from '../../model/report.ts';
import {
  HistoryQuery,
  ReportKeywordParams,
  ReportKeywordQuery,
  ReportKeywordsQuery,
  ReportProjectParams,
  ReportProjectQuery,
  ReportProjectsQuery,
} from '../../model/report-query.ts';
import type { Route } from '../route.ts';
import { aboutCursors } from './reporting.ts';

export const reportRoutes = {
  'reporting/list-projects': {
    method: 'GET',
    path: '/api/reporting/projects',
    auth: 'bearer',
    summary: 'List projects',
    description: aboutCursors,
    query: ReportProjectsQuery,
    reply: ReportProjectList,
    envelope: 'data',
    returns: 'A page of the list',
  },
  'reporting/read-project-report': {
    method: 'GET',
    path: '/api/reporting/projects/{id}',
    auth: 'bearer',
    summary: 'Read the figures of a project',
    description:
      '`stats` counts the keywords of the type `owner`. With `include=keywords`, `included` has the names of the first keywords.',
    params: ReportProjectParams,
    query: ReportProjectQuery,
    reply: ReportProjectReply,
    envelope: 'data',
    returns: 'The project',
  },
  'reporting/list-keywords': {
    method: 'GET',
    path: '/api/reporting/projects/{id}/keywords',
    auth: 'bearer',
    summary: 'List the keywords of a project',
    description: `The keywords are without their positions, except in CSV. ${aboutCursors}`,
    params: ReportProjectParams,
    query: ReportKeywordsQuery,
    headers: FormHeaders,
    reply: ReportKeywordList,
    forms: ['text/csv'],
    envelope: 'data',
    returns: 'A page of the list',
  },
  'reporting/read-keyword-report': {
    method: 'GET',
    path: '/api/reporting/keywords/{id}',
    auth: 'bearer',
    summary: 'Read the positions of a keyword',
    description:
      'The positions are those of complete crawls. A `movement` above 0 is a rise, and a domain that is not ranked counts as 101.',
    params: ReportKeywordParams,
    query: ReportKeywordQuery,
    reply: ReportKeywordReply,
    envelope: 'data',
    returns: 'The keyword',
  },
  'reporting/list-history': {
    method: 'GET',
    path: '/api/reporting/keywords/{id}/history',
    auth: 'bearer',
    summary: 'List the positions of a keyword in a range of days',
    description:
      'Newest first. Without dates: the last 30 days. A crawl that failed is no item: `meta.gaps` has it with its reason.',
    params: ReportKeywordParams,
    query: HistoryQuery,
    headers: FormHeaders,
    reply: HistoryList,
    forms: ['text/csv'],
    returns: 'A page of the history',
  },
} as const satisfies Record<`reporting/${string}`, Route>;
