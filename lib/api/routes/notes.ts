/** Operations on the notes and tags of a project, and those that read its pages and days. */
import {
  ComparedDays,
  ComparedDaysQuery,
  PositionsExport,
  PositionsExportQuery,
} from '../../model/compared-days.ts';
import { FormHeaders } from '../../model/forms.ts';
import { Note, NoteChange, NoteList, NoteParams, NoteRequest, NotesQuery } from '../../model/note.ts';
import { CompetingPages, LandingPages, LandingPagesQuery } from '../../model/own-pages.ts';
import { ProjectParams } from '../../model/project.ts';
import { TagList } from '../../model/visibility.ts';
import type { Route } from '../route.ts';

export const noteRoutes = {
  'reporting/list-tags': {
    method: 'GET',
    path: '/api/v1/projects/{project_id}/tags',
    auth: 'bearer',
    summary: 'List the tags of the keywords of a project',
    description: 'Each tag with its share of voice and its positions. A keyword counts in each of its tags.',
    params: ProjectParams,
    reply: TagList,
    returns: 'The tags',
  },
  'reporting/create-note': {
    method: 'POST',
    path: '/api/v1/projects/{project_id}/notes',
    auth: 'bearer',
    summary: 'Add a note to a day of a project',
    description: 'Notes say what happened on a day. Histories and the visibility return those of their days.',
    params: ProjectParams,
    body: NoteRequest,
    reply: Note,
    returns: 'The note',
    conflict: 'The project has 1,000 notes',
  },
  'reporting/list-notes': {
    method: 'GET',
    path: '/api/v1/projects/{project_id}/notes',
    auth: 'bearer',
    summary: 'List the notes of a project',
    description: 'The notes of a range of days, or all of them.',
    params: ProjectParams,
    query: NotesQuery,
    reply: NoteList,
    returns: 'The notes, by day',
  },
  'reporting/update-note': {
    method: 'PATCH',
    path: '/api/v1/projects/{project_id}/notes/{note_id}',
    auth: 'bearer',
    summary: 'Change a note',
    description: 'Changes the fields that the body has.',
    params: NoteParams,
    body: NoteChange,
    reply: Note,
    returns: 'The changed note',
  },
  'reporting/delete-note': {
    method: 'DELETE',
    path: '/api/v1/projects/{project_id}/notes/{note_id}',
    auth: 'bearer',
    summary: 'Delete a note',
    description: 'The note is gone with the response.',
    params: NoteParams,
    reply: Note,
    returns: 'The note as it was',
  },
  'reporting/list-landing-pages': {
    method: 'GET',
    path: '/api/v1/projects/{project_id}/pages',
    auth: 'bearer',
    summary: 'List the pages of the domain that rank, with their keywords',
    description:
      'The pages of the domain of the project in the first 100 results of the newest crawls: of each keyword, the first ten.',
    params: ProjectParams,
    query: LandingPagesQuery,
    reply: LandingPages,
    returns: 'A page of the list, the pages with most keywords first',
  },
  'reporting/list-competing-pages': {
    method: 'GET',
    path: '/api/v1/projects/{project_id}/pages/competing',
    auth: 'bearer',
    summary: 'List the keywords for which several pages of the domain compete',
    description:
      'Keywords in whose newest results more than one page of the domain is. The history of a keyword has the pages of each crawl, and when the best one changed.',
    params: ProjectParams,
    reply: CompetingPages,
    returns: 'The keywords with their pages',
  },
  'reporting/compare-days': {
    method: 'GET',
    path: '/api/v1/projects/{project_id}/compare',
    auth: 'bearer',
    summary: 'Compare the positions of keywords on two days',
    description:
      'Any two days of the last two years, in UTC. A day without a crawl is empty, unless the keyword is not crawled each day: then the crawl before ' +
      'counts until the next one is due.',
    params: ProjectParams,
    query: ComparedDaysQuery,
    reply: ComparedDays,
    returns: 'A page of the keywords, in the order in which they were added',
  },
  'reporting/export-positions': {
    method: 'GET',
    path: '/api/v1/projects/{project_id}/export',
    auth: 'bearer',
    summary: 'Export the positions of keywords, a row for each keyword and day',
    description:
      'The last crawl of each day, or all pages of the domain in it. In CSV and JSON lines, the header `x-next-cursor` has the `cursor` of the next ' +
      'page; it is empty on the last one.',
    params: ProjectParams,
    query: PositionsExportQuery,
    headers: FormHeaders,
    reply: PositionsExport,
    forms: ['text/csv', 'application/jsonl'],
    replyHeaders: { 'x-next-cursor': 'The `cursor` of the next page of keywords; empty on the last one' },
    returns: 'The rows of a page of keywords, by keyword and day',
  },
} as const satisfies Record<`reporting/${string}`, Route>;
