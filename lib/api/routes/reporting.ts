/** Operations on projects and their tracked keywords. `report.ts` has those that read their positions. */
import * as v from 'valibot';
import { AlertDeliveries, AlertList, AlertParams } from '../../model/alert-deliveries.ts';
import { described } from '../../model/described.ts';
import { FormHeaders } from '../../model/forms.ts';
import {
  ChartQuery,
  ManagedKeyword,
  ManagedKeywordList,
  ManagedKeywordParams,
  ManagedKeywordsQuery,
  TrackedHistory,
  TrackedHistoryQuery,
} from '../../model/managed-keyword.ts';
import {
  ManagedProject,
  ManagedProjectList,
  ManagedProjectsQuery,
  ProjectChange,
  ProjectCost,
  ProjectParams,
  ProjectRequest,
} from '../../model/project.ts';
import { ProjectOverview } from '../../model/project-overview.ts';
import { maxKeywordListBytes } from '../../model/request-limits.ts';
import {
  AddedKeywords,
  AddKeywordsQuery,
  AddKeywordsRequest,
  KeywordChange,
} from '../../model/tracked-keyword.ts';
import { Visibility, VisibilityQuery } from '../../model/visibility.ts';
import { RawResponse, type Route } from '../route.ts';

export const aboutCursors =
  'A cursor works only with the filter and the order that it was returned for. Changes do not shift the pages.';

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
    description: 'The list continues at the `cursor` of the reply, and ends where it is null.',
    query: ManagedProjectsQuery,
    reply: ManagedProjectList,
    returns: 'A page of the list, oldest first',
  },
  'reporting/read-project': {
    method: 'GET',
    path: '/api/v1/projects/{project_id}',
    auth: 'bearer',
    summary: 'Read a project',
    description: 'The project with its domain, competitors, times of crawls and alerts.',
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
    searches: true,
    takesCsv: true,
    bodyBytes: maxKeywordListBytes,
    reply: AddedKeywords,
    returns: 'What was added, and what it costs',
    conflict:
      'The project would have more than 20,000 keywords, or is being changed at the same time. `detail` says which',
  },
  'reporting/list-tracked-keywords': {
    method: 'GET',
    path: '/api/v1/projects/{project_id}/keywords',
    auth: 'bearer',
    summary: 'List the keywords of a project with their positions',
    description: `Each keyword has its positions of the last 31 days, and those of the competitors. ${aboutCursors}`,
    params: ProjectParams,
    query: ManagedKeywordsQuery,
    headers: FormHeaders,
    reply: ManagedKeywordList,
    forms: ['text/csv'],
    returns: 'A page of the list',
  },
  'reporting/read-cost': {
    method: 'GET',
    path: '/api/v1/projects/{project_id}/cost',
    auth: 'bearer',
    summary: 'Read what the keywords of a project cost',
    description:
      'The searches a day that the keywords cause, and what these cost in 30 days. A search that several projects track is crawled once, but each ' +
      'of them counts it.',
    params: ProjectParams,
    reply: ProjectCost,
    returns: 'The searches and the dollars',
  },
  'reporting/list-alerts': {
    method: 'GET',
    path: '/api/v1/projects/{project_id}/alerts',
    auth: 'bearer',
    summary: 'List the alerts of a project',
    description: 'The alerts of the last 34 days: each webhook and each mail with its state.',
    params: ProjectParams,
    reply: AlertList,
    returns: 'The alerts, newest first',
  },
  'reporting/read-alert-deliveries': {
    method: 'GET',
    path: '/api/v1/projects/{project_id}/alerts/{alert_id}/deliveries',
    auth: 'bearer',
    summary: 'Read the attempts at an alert',
    description: 'The attempts at a webhook or a mail, each with its time, status or error, and duration.',
    params: AlertParams,
    reply: AlertDeliveries,
    returns: 'The state of the delivery, and its attempts',
  },
  'reporting/send-alert-postback': {
    method: 'POST',
    path: '/api/v1/projects/{project_id}/alerts/{alert_id}/postback',
    auth: 'bearer',
    summary: 'Send an alert again',
    description:
      'Sends the webhook or the mail, delivered or not, with the same `webhook-id` and as many attempts, at most 20 times.',
    params: AlertParams,
    conflict: 'It is under way, or was sent again 20 times',
    reply: AlertDeliveries,
    returns: 'The state before the next attempt',
  },
  'reporting/read-visibility': {
    method: 'GET',
    path: '/api/v1/projects/{project_id}/visibility',
    auth: 'bearer',
    summary: 'Compare the visibility of a project with that of its competitors',
    description:
      'The share of voice: of all clicks that are expected on the web results for the keywords of the type `owner`, the part that each domain gets. A ' +
      'keyword counts by its monthly searches, at least one, and a position by the click rate of a public study.',
    params: ProjectParams,
    query: VisibilityQuery,
    headers: FormHeaders,
    reply: Visibility,
    forms: ['text/csv', 'application/jsonl'],
    returns:
      'The visibility of each domain, now and by day. In CSV and JSON lines: a row for each day and domain',
  },
  'reporting/read-overview': {
    method: 'GET',
    path: '/api/v1/projects/{project_id}/overview',
    auth: 'bearer',
    summary: 'Read the overview of a project',
    description:
      'How the keywords of the type `owner` stand now and on each of the last 31 days, the largest movements of the week, the kinds of items on ' +
      'their result pages, what they cost, and the next crawl.',
    params: ProjectParams,
    reply: ProjectOverview,
    returns: 'The overview',
  },
  'reporting/read-summary': {
    method: 'GET',
    path: '/api/v1/projects/{project_id}/summary',
    auth: 'bearer',
    summary: 'Read the summary of the week of a project',
    description:
      'What moved, which keywords entered or left the first ten, the share of voice, and failed crawls.',
    params: ProjectParams,
    reply: RawResponse,
    returns: 'The summary as Markdown',
    response: { status: 200, type: 'text/markdown' },
  },
  'reporting/read-tracked-history': {
    method: 'GET',
    path: '/api/v1/projects/{project_id}/keywords/{keyword_id}/history',
    auth: 'bearer',
    summary: 'Read the history of a keyword of a project',
    description: 'Also has the positions of the competitors, and the kinds of items on each result page.',
    params: ManagedKeywordParams,
    query: TrackedHistoryQuery,
    headers: FormHeaders,
    reply: TrackedHistory,
    forms: ['text/csv'],
    returns: 'The positions in the range, and the crawls that added none',
  },
  'reporting/read-keyword': {
    method: 'GET',
    path: '/api/v1/projects/{project_id}/keywords/{keyword_id}',
    auth: 'bearer',
    summary: 'Read a keyword of a project with its positions',
    description: 'The keyword as in the list of the keywords of its project.',
    params: ManagedKeywordParams,
    reply: ManagedKeyword,
    returns: 'The keyword',
  },
  'reporting/update-keyword': {
    method: 'PATCH',
    path: '/api/v1/projects/{project_id}/keywords/{keyword_id}',
    auth: 'bearer',
    summary: 'Pause or resume a keyword, change its frequency, or end the links to its chart',
    description:
      'A keyword that is no longer paused is crawled within the hour. `new_chart_url` makes every `chart_url` that was given before answer 404.',
    params: ManagedKeywordParams,
    body: KeywordChange,
    reply: ManagedKeyword,
    returns: 'The changed keyword',
  },
  'reporting/delete-keyword': {
    method: 'DELETE',
    path: '/api/v1/projects/{project_id}/keywords/{keyword_id}',
    auth: 'bearer',
    summary: 'Delete a keyword and its history',
    description:
      'The keyword is gone with the response, and its history with it. Other keywords with the same search are still crawled.',
    params: ManagedKeywordParams,
    reply: ManagedKeyword,
    returns: 'The keyword as it was',
  },
  'reporting/read-chart': {
    method: 'GET',
    path: '/charts/{token}.svg',
    auth: 'none',
    summary: 'Show the positions of a keyword as an image',
    description:
      'The address is the `chart_url` of a keyword. It needs no key, so that a report can show the image, and works for 400 days.',
    params: v.object({ token: described(v.string(), 'The token of the link', '1.1796083200.aHRtbC9h.AAAA') }),
    query: ChartQuery,
    reply: RawResponse,
    returns: 'The image',
    response: { status: 200, type: 'image/svg+xml' },
  },
} as const satisfies Record<`reporting/${string}`, Route>;
