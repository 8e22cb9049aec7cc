/** The notes of the days of a chart, as text below it. */
import type { Note } from '../../model/note.ts';
import { day } from '../format.ts';
import type { ChartNote } from '../lazy/chart.tsx';

/** Notes below a chart at most, the newest. */
const shownNotes = 12;

const shownOf = (notes: readonly Note[]): readonly Note[] => notes.slice(-shownNotes);

/**
 * The marks of the notes at the times of a chart. Each has its number in the list below. A day without a time
 * in the chart is marked at its start.
 */
export const noteMarks = (notes: readonly Note[], times: readonly number[]): ChartNote[] => {
  const byDay = new Map(times.map((time) => [day(time), time]));
  return shownOf(notes).map(({ date }, n) => ({
    time: byDay.get(date) ?? Date.parse(`${date}T00:00:00Z`) / 1000,
    name: String(n + 1),
  }));
};

export const NoteList = ({ notes }: { notes: readonly Note[] }) => {
  if (notes.length === 0) return null;
  const more = notes.length - shownNotes;
  return (
    <>
      <ol class="notes" aria-label="Notes on these days">
        {shownOf(notes).map(({ note_id, date, text }, n) => (
          <li key={note_id}>
            <span class="note-number">{n + 1}</span>
            <span class="clamped" title={text}>
              <span class="dim">{date}</span> {text}
            </span>
          </li>
        ))}
      </ol>
      {more > 0 && <p class="hint">{`and ${more} earlier ${more === 1 ? 'note' : 'notes'}`}</p>}
    </>
  );
};
