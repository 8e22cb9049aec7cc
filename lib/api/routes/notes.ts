/** Operations on the notes and the tags of a project. */
import { Note, NoteChange, NoteList, NoteParams, NoteRequest, NotesQuery } from '../../model/note.ts';
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
} as const satisfies Record<`reporting/${string}`, Route>;
