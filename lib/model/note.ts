/** Notes of a project: what happened on a day, which charts show. */
import * as v from 'valibot';
import { component, described } from './described.ts';
import { withWords } from './keyword.ts';
import { daysInOrder } from './report-query.ts';
import { Count, Day, fields, KeptText, PathId, Seconds } from './scalar.ts';

/** Characters of a note, and notes of a project. */
const maxNoteLength = 1000;
export const maxNotes = 1000;

const noteDay = described(Day, 'The day, UTC, as `YYYY-MM-DD`', '2026-11-22');
const noteText = described(
  v.pipe(KeptText, v.minLength(1), v.maxCodePoints(maxNoteLength), withWords),
  'What happened, 1 to 1,000 characters',
  'New product pages are online',
);

export const NoteRequest = component(
  'NoteRequest',
  'A new note on a day of a project',
  fields({ date: noteDay, text: noteText }),
);
export type NoteRequest = v.InferOutput<typeof NoteRequest>;

export const NoteChange = component(
  'NoteChange',
  'A change of a note. A field that is absent stays as it is',
  fields({ date: v.optional(noteDay), text: v.optional(noteText) }),
);
export type NoteChange = v.InferOutput<typeof NoteChange>;

export const Note = component(
  'Note',
  'A note on a day of a project',
  v.object({
    note_id: described(Count, 'The id of the note', 3767392204849190),
    date: described(v.string(), 'The day, UTC', '2026-11-22'),
    text: described(v.string(), 'What happened', 'New product pages are online'),
    created_at: described(Seconds, 'When the note was made, in Unix seconds', 1795996800),
    changed_at: described(v.nullable(Seconds), 'When it was changed last. Null: never', null),
  }),
);
export type Note = v.InferOutput<typeof Note>;

/** The notes of a range of days, beside positions. */
export const Notes = described(v.array(Note), 'The notes of the project on these days, by day', []);

export const NoteList = component('NoteList', 'The notes of a project', v.object({ data: Notes }));

export const NoteParams = v.object({
  project_id: described(PathId, 'The id of the project', 3767392204849160),
  note_id: described(PathId, 'The id of the note', 3767392204849190),
});

const noteDays = {
  start_date: described(v.optional(Day), 'The first day, as `YYYY-MM-DD`. Without it: any', '2026-11-01'),
  end_date: described(v.optional(Day), 'The last day, as `YYYY-MM-DD`. Without it: any', '2026-11-30'),
};

export const NotesQuery = daysInOrder(noteDays, 'start_date', 'end_date');
export type NotesQuery = v.InferOutput<typeof NotesQuery>;
