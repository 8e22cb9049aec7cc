/** Notes on days of a project, and the order of their writes. The tables are replaced. */
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { HttpError } from '../../../../lib/model/http-error.ts';
import type { Note } from '../../../../lib/model/note.ts';
import { findProject } from '../../../../lib/reporting/find.ts';
import { endRequest } from '../../../../lib/reporting/finish-work.ts';
import {
  changeNote,
  createNote,
  notesBetween,
  removeNote,
  showNotes,
} from '../../../../lib/reporting/manage/notes.ts';
import { newIds } from '../../../../lib/reporting/new-ids.ts';
import { startCalendar } from '../../../../lib/runtime/calendar.ts';
import { deleteNote, listNotes, putNote, readNote } from '../../../../lib/store/notes.ts';
import { beginWork } from '../../../../lib/store/project-work.ts';

vi.mock(import('../../../../lib/reporting/find.ts'), () => ({ findProject: vi.fn() }));
vi.mock(import('../../../../lib/reporting/finish-work.ts'), () => ({ endRequest: vi.fn() }));
vi.mock(import('../../../../lib/reporting/new-ids.ts'), () => ({ newIds: vi.fn() }));
vi.mock(import('../../../../lib/store/notes.ts'), () => ({
  deleteNote: vi.fn(),
  listNotes: vi.fn(),
  putNote: vi.fn(),
  readNote: vi.fn(),
}));
vi.mock(import('../../../../lib/store/project-work.ts'), () => ({ beginWork: vi.fn() }));

const user = { id: 1 };
const project = { project_id: 2 };
const work = { kind: 'add', project_id: 2 };
const note: Note = { note_id: 9, date: '2026-11-02', text: 'New shop', created_at: 500, changed_at: null };
const named = { project_id: 2, note_id: 9 };
const noteNotFound = expect.objectContaining({ statusCode: 404, detail: 'Note not found' });
const orderOf = (mock: unknown) => vi.mocked(mock as typeof putNote).mock.invocationCallOrder[0] ?? 0;

beforeEach(() => {
  vi.resetAllMocks();
  vi.mocked(findProject).mockResolvedValue(project as never);
  vi.mocked(newIds).mockResolvedValue([9]);
  vi.mocked(beginWork).mockResolvedValue(work as never);
  vi.mocked(putNote).mockResolvedValue(true);
  vi.mocked(readNote).mockResolvedValue(note);
  vi.mocked(listNotes).mockResolvedValue([]);
});

describe('a new note', () => {
  const create = () => createNote(user, 2, { date: note.date, text: note.text }, 500);

  test('is written as work on the project, so that it goes with a deleted one', async () => {
    startCalendar({ real: 100, shown: 400, rate: 10 });
    onTestFinished(() => startCalendar({ real: 0, shown: 0, rate: 1 }));

    expect(await create()).toEqual(note);
    expect(findProject).toHaveBeenCalledExactlyOnceWith(user, 2);
    expect(newIds).toHaveBeenCalledExactlyOnceWith(1, 500);
    expect(beginWork).toHaveBeenCalledExactlyOnceWith('add', project, 110);
    expect(putNote).toHaveBeenCalledExactlyOnceWith(2, note, true);
    expect(endRequest).toHaveBeenCalledExactlyOnceWith(work);
    const order = [beginWork, putNote, endRequest].map(orderOf);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  });

  test.each([
    [999, true],
    [1000, false],
  ])('beside %i notes is written: %s', async (count, isWritten) => {
    vi.mocked(listNotes).mockResolvedValue(Array.from({ length: count }, () => note));

    if (isWritten) await create();
    else {
      await expect(create()).rejects.toThrow(
        expect.objectContaining({ statusCode: 409, detail: 'A project has at most 1,000 notes' }),
      );
    }
    expect(listNotes).toHaveBeenCalledExactlyOnceWith(2);
    expect(putNote).toHaveBeenCalledTimes(isWritten ? 1 : 0);
    expect(beginWork).toHaveBeenCalledTimes(isWritten ? 1 : 0);
  });
});

describe('notes', () => {
  const days = ['2026-11-01', '2026-11-02', '2026-11-03'];
  beforeEach(() => {
    vi.mocked(listNotes).mockResolvedValue(days.map((date) => ({ ...note, date })));
  });

  test.each([
    [{}, days],
    [{ start_date: '2026-11-02' }, days.slice(1)],
    [{ end_date: '2026-11-02' }, days.slice(0, 2)],
    [{ start_date: '2026-11-02', end_date: '2026-11-02' }, ['2026-11-02']],
  ])('of the days %j', async (range, expected) => {
    const found = expected.map((date) => ({ ...note, date }));

    expect(await notesBetween(2, range)).toEqual(found);
    expect(await showNotes(user, 2, range)).toEqual({ data: found });
    expect(listNotes).toHaveBeenLastCalledWith(2);
    expect(findProject).toHaveBeenCalledExactlyOnceWith(user, 2);
  });

  test('of the project of another user are not read', async () => {
    vi.mocked(findProject).mockRejectedValue(new HttpError(404, 'Project not found'));

    await expect(showNotes(user, 2, {})).rejects.toThrow('Project not found');
    expect(listNotes).not.toHaveBeenCalled();
  });
});

describe('a change', () => {
  test.each([
    [{ date: '2026-11-05' }, { date: '2026-11-05' }],
    [{ text: 'Sale' }, { text: 'Sale' }],
    [{}, {}],
  ])('of %j keeps the rest, and names its time', async (change, expected) => {
    const changed = { ...note, ...expected, changed_at: 700 };

    expect(await changeNote(user, named, change, 700)).toEqual(changed);
    expect(findProject).toHaveBeenCalledExactlyOnceWith(user, 2);
    expect(readNote).toHaveBeenCalledExactlyOnceWith(2, 9);
    expect(putNote).toHaveBeenCalledExactlyOnceWith(2, changed, false);
  });

  test('of a note that is deleted meanwhile is refused', async () => {
    vi.mocked(putNote).mockResolvedValue(false);

    await expect(changeNote(user, named, {}, 700)).rejects.toThrow(noteNotFound);
  });
});

test('a note that is removed is returned', async () => {
  expect(await removeNote(user, named)).toEqual(note);
  expect(deleteNote).toHaveBeenCalledExactlyOnceWith(2, 9);
});

test('a note that the project does not have is neither changed nor removed', async () => {
  vi.mocked(readNote).mockResolvedValue(undefined);

  await expect(changeNote(user, named, {}, 700)).rejects.toThrow(noteNotFound);
  await expect(removeNote(user, named)).rejects.toThrow(noteNotFound);
  expect(putNote).not.toHaveBeenCalled();
  expect(deleteNote).not.toHaveBeenCalled();
});
