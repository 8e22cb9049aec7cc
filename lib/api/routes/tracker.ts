/** Operations on the keywords of a project together: imports. */
import { ImportParams, ImportQuery, ImportRequest, KeywordImport } from '../../model/keyword-import.ts';
import { ProjectParams } from '../../model/project.ts';
import { maxKeywordListBytes } from '../../model/request-limits.ts';
import type { Route } from '../route.ts';

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
    conflict: 'The project would have more than 20,000 keywords',
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
} as const satisfies Record<`reporting/${string}`, Route>;
