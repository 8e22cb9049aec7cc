/** Notes on days of a project, as its owner manages them. */
import { HttpError } from '../../model/http-error.ts';
import { maxNotes, type Note, type NoteChange, type NoteRequest, type NotesQuery } from '../../model/note.ts';
import type { Account } from '../../model/user.ts';
import { calendar, clockOf } from '../../runtime/calendar.ts';
import { deleteNote, listNotes, putNote, readNote } from '../../store/notes.ts';
import { beginWork } from '../../store/project-work.ts';
import { findProject } from '../find.ts';
import { endRequest } from '../finish-work.ts';
import { newIds } from '../new-ids.ts';

type Owner = Pick<Account, 'id'>;
type Named = { project_id: number; note_id: number };

/** @throws HttpError 404 if the user has no such project, 409 if it has 1,000 notes. */
export const createNote = async (
  user: Owner,
  projectId: number,
  { date, text }: NoteRequest,
  now = calendar(),
): Promise<Note> => {
  const project = await findProject(user, projectId);
  if ((await listNotes(projectId)).length >= maxNotes) {
    throw new HttpError(409, `A project has at most ${maxNotes.toLocaleString('en-US')} notes`);
  }
  const [note_id = 0] = await newIds(1, now);
  const note: Note = { note_id, date, text, created_at: now, changed_at: null };
  const work = await beginWork('add', project, clockOf(now));
  await putNote(projectId, note, true);
  await endRequest(work);
  return note;
};

/** The notes of days of a project that was found. */
export const notesBetween = async (
  projectId: number,
  { start_date = '', end_date = '9999-12-31' }: NotesQuery,
): Promise<Note[]> =>
  (await listNotes(projectId)).filter(({ date }) => date >= start_date && date <= end_date);

/** The notes of a project, by day. Throws HttpError 404 if the user has no such project. */
export const showNotes = async (
  user: Owner,
  projectId: number,
  range: NotesQuery,
): Promise<{ data: Note[] }> => {
  await findProject(user, projectId);
  return { data: await notesBetween(projectId, range) };
};

const find = async (user: Owner, { project_id, note_id }: Named): Promise<Note> => {
  await findProject(user, project_id);
  const note = await readNote(project_id, note_id);
  if (!note) throw new HttpError(404, 'Note not found');
  return note;
};

/** @throws HttpError 404 if the user has no such project, or no such note in it. */
export const changeNote = async (
  user: Owner,
  named: Named,
  { date, text }: NoteChange,
  now = calendar(),
): Promise<Note> => {
  const note = await find(user, named);
  const changed = { ...note, date: date ?? note.date, text: text ?? note.text, changed_at: now };
  // Another request may have deleted it.
  if (!(await putNote(named.project_id, changed, false))) throw new HttpError(404, 'Note not found');
  return changed;
};

/** Deletes a note, and returns what it was. Throws HttpError 404 as `changeNote`. */
export const removeNote = async (user: Owner, named: Named): Promise<Note> => {
  const note = await find(user, named);
  await deleteNote(named.project_id, named.note_id);
  return note;
};
