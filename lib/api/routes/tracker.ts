/** Operations on several keywords of a project together. */
import * as v from 'valibot';
import { described } from '../../model/described.ts';
import { FormHeaders } from '../../model/forms.ts';
import { ImportParams, ImportQuery, ImportRequest, KeywordImport } from '../../model/keyword-import.ts';
import {
  ChangedKeywords,
  CrawlNow,
  CrawlNowQuery,
  CrawlNowRequest,
  KeywordsChange,
  KeywordsDeletion,
} from '../../model/keyword-selection.ts';
import { ProjectParams } from '../../model/project.ts';
import { ReportLink, ReportLinkRequest } from '../../model/report-link.ts';
import { maxKeywordListBytes } from '../../model/request-limits.ts';
import { RawResponse, type Route } from '../route.ts';

export const trackerRoutes = {
  'reporting/import-keywords': {
    method: 'POST',
    path: '/api/v1/projects/{project_id}/imports',
    auth: 'bearer',
    summary: 'Import a file of up to 10,000 keywords into a project',
    description:
      'The body is a file with a row of names: CSV with commas, semicolons or tabs, in UTF-8, with names in any case. A list in JSON is taken, too. Without ' +
      '`on_error=skip`, one bad line refuses the whole file. An error has the row of the file and the column. The response comes before all ' +
      'keywords are added: `GET …/imports/{import_id}` has the progress. With an `Idempotency-Key`, a repeated request returns the import that the ' +
      'first one began.',
    params: ProjectParams,
    query: ImportQuery,
    body: ImportRequest,
    takesCsv: true,
    bodyBytes: maxKeywordListBytes,
    creates: true,
    reply: KeywordImport,
    status: 202,
    returns: 'The import, with the lines that were refused',
    conflict: 'The project would have more than 20,000 keywords, and these are not skipped',
  },
  'reporting/read-import': {
    method: 'GET',
    path: '/api/v1/projects/{project_id}/imports/{import_id}',
    auth: 'bearer',
    summary: 'Read the progress of an import',
    description: 'An import is known for seven days.',
    params: ImportParams,
    reply: KeywordImport,
    returns: 'The import, with the lines that were refused',
  },
  'reporting/crawl-now': {
    method: 'POST',
    path: '/api/v1/projects/{project_id}/crawl',
    auth: 'bearer',
    summary: 'Crawl keywords of a project now',
    description:
      'Crawls the named keywords, or all of the project, within a minute, beside their schedule: each search once, and not if its crawl runs or waits ' +
      'already. The user pays for the searches, which count in the limit of pages.',
    params: ProjectParams,
    query: CrawlNowQuery,
    body: CrawlNowRequest,
    reply: CrawlNow,
    status: 202,
    returns: 'What is crawled now, and what is not',
  },
  'reporting/create-report-link': {
    method: 'POST',
    path: '/api/v1/projects/{project_id}/report-link',
    auth: 'bearer',
    summary: 'Make a link to the report of a project',
    description: 'The report can be read and printed without a key. `end_former` ends the links of before.',
    params: ProjectParams,
    body: ReportLinkRequest,
    reply: ReportLink,
    returns: 'The link',
  },
  'reporting/read-report': {
    method: 'GET',
    path: '/reports/{token}',
    auth: 'none',
    summary: 'Show the report of a project',
    description: 'The address is a `report_url`. The page has no script, and is made for A4.',
    params: v.object({ token: described(v.string(), 'The token of the link', '1.1796083200.aHRtbC9h.AAAA') }),
    headers: FormHeaders,
    reply: RawResponse,
    returns: 'The page',
    response: { status: 200, type: 'text/html' },
  },
  'reporting/update-keywords': {
    method: 'PATCH',
    path: '/api/v1/projects/{project_id}/keywords',
    auth: 'bearer',
    summary: 'Change several keywords of a project',
    description:
      'Pauses or resumes keywords, sets how often they are crawled, or adds and removes tags. May be repeated.',
    params: ProjectParams,
    body: KeywordsChange,
    bodyBytes: maxKeywordListBytes,
    reply: ChangedKeywords,
    returns: 'How many keywords were changed',
  },
  'reporting/delete-keywords': {
    method: 'POST',
    path: '/api/v1/projects/{project_id}/keywords/delete',
    auth: 'bearer',
    summary: 'Delete several keywords of a project with their history',
    description: 'May be repeated. A DELETE with a body would not pass every proxy.',
    params: ProjectParams,
    body: KeywordsDeletion,
    bodyBytes: maxKeywordListBytes,
    reply: ChangedKeywords,
    returns: 'How many keywords were deleted',
  },
} as const satisfies Record<`reporting/${string}`, Route>;
