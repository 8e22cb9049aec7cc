/** The notes of a project: a list, which a person who may change something can edit. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Note } from '../../model/note.ts';
import { changeQuery, hrefWith } from '../address.ts';
import { changedFields } from '../changed-fields.ts';
import { count, day, time } from '../format.ts';
import { announce, useAction, useLoaded } from '../hooks.ts';
import { call } from '../session.ts';
import { useMayWrite } from '../user.tsx';
import { ConfirmButton } from './confirm.tsx';
import { TextField } from './field.tsx';
import { Empty, LoadState, Notice } from './notice.tsx';
import { type Column, Table } from './table.tsx';
import { TextArea } from './text-area.tsx';

type FormProps = {
  path: string;
  note: Note | null;
  /** `isAwaited`: whether the form is still in sight. */
  done: (isAwaited: boolean) => void;
};

/** The form for a new note, or for one that is changed. */
const NoteForm = ({ path, note, done }: FormProps) => {
  const [date, setDate] = useState(note?.date ?? day(Date.now() / 1000));
  const [text, setText] = useState(note?.text ?? '');
  const [opened] = useState(note);
  const { isBusy, error, run } = useAction();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (note) form.current?.querySelector('textarea')?.focus();
  }, []);
  const save = () =>
    run(async (isAwaited) => {
      const body = { date, text };
      if (opened) {
        const changes = changedFields({ date: opened.date, text: opened.text }, body);
        await call(`${path}/${opened.note_id}`, { method: 'PATCH', body: changes });
      } else await call(path, { method: 'POST', body });
      announce(note ? 'The note was saved.' : 'The note was added.');
      // Not what was typed meanwhile.
      setText((now) => (now === text ? '' : now));
      done(isAwaited());
    });
  return (
    <form
      ref={form}
      class="card"
      aria-label={note ? 'Change a note' : 'New note'}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <h2>{note ? `Change the note of ${note.date}` : 'New note'}</h2>
      {error && <Notice kind="error">{error}</Notice>}
      <div class="fields">
        <TextField class="narrow" label="Day" type="date" value={date} onText={setDate} isRequired />
      </div>
      <TextArea label="What happened" rows={2} maxLength={1000} isRequired value={text} onText={setText} />
      <div class="actions">
        <button type="submit" class="primary" disabled={isBusy || text.trim() === ''}>
          {note ? 'Save' : 'Add the note'}
        </button>
        {note && <a href={hrefWith({ note: undefined })}>Cancel</a>}
        {note && (
          <ConfirmButton
            text="Delete the note"
            question={`Delete the note of ${note.date}?`}
            run={async (isAwaited) => {
              await call(`${path}/${note.note_id}`, { method: 'DELETE' });
              announce('The note was deleted.');
              done(isAwaited());
            }}
          />
        )}
      </div>
    </form>
  );
};

const columnsOf = (mayWrite: boolean): readonly Column<Note>[] => [
  { id: 'date', title: 'Day', min: 125, class: 'when', cell: ({ date }) => date },
  {
    id: 'text',
    title: 'What happened',
    min: 260,
    class: 'break',
    cell: ({ text }) => (
      <span class="clamped" title={text}>
        {text}
      </span>
    ),
  },
  {
    id: 'made',
    title: 'Written',
    min: 190,
    hiddenBelow: 760,
    label: 'Written',
    cell: ({ created_at, changed_at }) => time(changed_at ?? created_at),
  },
  ...(mayWrite
    ? [
        {
          id: 'edit',
          title: 'Edit',
          kind: 'unseen',
          min: 90,
          cell: ({ note_id, date }) => (
            <a href={hrefWith({ note: note_id })} aria-label={`Edit the note of ${date}`}>
              Edit
            </a>
          ),
        } satisfies Column<Note>,
      ]
    : []),
];

export const Notes = ({ id, query }: { id: string; query: URLSearchParams }) => {
  const path = `api/v1/projects/${id}/notes`;
  const mayWrite = useMayWrite();
  const loaded = useLoaded(path, (signal) => call<{ data: Note[] }>(path, { signal }));
  const { data, reload } = loaded;
  const chosen = data?.data.find(({ note_id }) => String(note_id) === query.get('note')) ?? null;
  const done = (isAwaited: boolean) => {
    if (chosen && isAwaited) changeQuery({ note: '' });
    reload();
  };
  const isWaiting = query.get('note') !== null && !data;
  return (
    <>
      <p class="dim">Notes say what happened on a day. The charts of the project mark the days.</p>
      {mayWrite && !isWaiting && (
        <NoteForm key={chosen?.note_id ?? 'new'} path={path} note={chosen} done={done} />
      )}
      <LoadState loaded={loaded} what="the notes" />
      {data?.data.length === 0 && <Empty title="No notes." />}
      {data && data.data.length > 0 && (
        <>
          <p class="dim">{`${count(data.data.length)} ${data.data.length === 1 ? 'note' : 'notes'}`}</p>
          <Table
            label="Notes, newest day first"
            columns={columnsOf(mayWrite)}
            rows={data.data.toReversed()}
            keyOf={({ note_id }) => note_id}
          />
        </>
      )}
    </>
  );
};
