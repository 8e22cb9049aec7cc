/**
 * Adds the keywords of a file. The service reads it first and names the bad lines; the others can be added.
 */
import { useState } from 'preact/hooks';
import type { KeywordImport, RefusedLine } from '../../model/keyword-import.ts';
import { hrefOf } from '../address.ts';
import { count, counted, dollars } from '../format.ts';
import { announce, useAction, useLoaded } from '../hooks.ts';
import { call } from '../session.ts';
import { labelOf } from './line-faults.ts';
import { Notice } from './notice.tsx';
import { type Column, Table } from './table.tsx';

const pollMs = 1000;

/** Bad lines that are shown at most. */
const shownLines = 200;

const columns: readonly Column<RefusedLine>[] = [
  { id: 'row', title: 'Row', min: 90, cell: ({ row }) => `Row ${count(row)}` },
  {
    id: 'column',
    title: 'Column',
    min: 130,
    label: 'Column',
    cell: ({ column }) => (column === null ? '–' : labelOf(column)),
  },
  {
    id: 'message',
    title: 'What is wrong',
    min: 240,
    class: 'break',
    cell: ({ message }) => (
      <span class="clamped" title={message}>
        {message}
      </span>
    ),
  },
];

const RefusedLines = ({ lines }: { lines: readonly RefusedLine[] }) =>
  lines.length === 0 ? null : (
    <>
      <Table
        label="Bad lines of the file"
        class=""
        columns={columns}
        rows={lines.slice(0, shownLines)}
        keyOf={({ row, column, message }) => `${row} ${column} ${message}`}
      />
      {lines.length > shownLines && (
        <p class="hint">{`And ${counted(lines.length - shownLines, 'more fault')}.`}</p>
      )}
    </>
  );

const previewText = ({ accepted, refused, added, existing, ...cost }: KeywordImport): string =>
  [
    `${counted(accepted, 'good line')}, ${counted(refused, 'bad one')}.`,
    `${counted(added, 'new keyword')}, ${count(existing)} already tracked.`,
    `They cause ${counted(cost.searches_per_day, 'search', 'searches')} a day, about ${dollars(cost.monthly_cost_usd)} a month.`,
  ].join(' ');

const Progress = ({ path, id }: { path: string; id: number }) => {
  const { data, error } = useLoaded(
    `${path}/${id}`,
    (signal) => call<KeywordImport>(`${path}/${id}`, { signal }),
    ({ status }) => (status === 'running' ? pollMs : null),
  );
  if (error) return <Notice kind="error">{error}</Notice>;
  if (!data) return null;
  return (
    <>
      <label class="label" for="import-progress">
        {`${count(data.handled)} of ${counted(data.accepted, 'line')}: ${data.status}`}
      </label>
      <progress id="import-progress" max={Math.max(1, data.accepted)} value={data.handled} />
      {data.status === 'failed' && <Notice kind="error">{data.reason}</Notice>}
      {data.status === 'done' && (
        <Notice kind="info">
          {`${counted(data.added, 'keyword was', 'keywords were')} added. Already there: ${count(data.existing)}.${
            data.refused > 0 ? ` Left out: ${counted(data.refused, 'line')}.` : ''
          }`}
        </Notice>
      )}
    </>
  );
};

export const ImportFile = ({ id }: { id: string }) => {
  const path = `api/v1/projects/${id}/imports`;
  // The bytes of the file: the service knows its encoding, and refuses one that it cannot read.
  const [file, setFile] = useState<Blob | null>(null);
  const [preview, setPreview] = useState<KeywordImport | null>(null);
  const [started, setStarted] = useState<number | null>(null);
  const { isBusy, error, run } = useAction();
  const send = (body: Blob, isDryRun: boolean): Promise<KeywordImport> =>
    call<KeywordImport>(`${path}?on_error=skip&dry_run=${isDryRun}`, {
      method: 'POST',
      body,
      type: 'text/csv',
    });
  const choose = (chosen: File | undefined) =>
    run(async (isAwaited) => {
      setPreview(null);
      setStarted(null);
      setFile(null);
      if (!chosen) return;
      // Read now: another program may change the file before it is added.
      const contents = new Blob([await chosen.arrayBuffer()]);
      const read = await send(contents, true);
      // Another file may be chosen by now.
      if (!isAwaited()) return;
      setFile(contents);
      setPreview(read);
      announce(previewText(read));
    });
  const add = () =>
    run(async () => {
      const { import_id } = await send(file ?? new Blob(), false);
      setStarted(import_id);
    });
  return (
    <section class="card" aria-label="Add a file">
      <h2>Add a file</h2>
      <p class="dim">
        CSV with the names of the columns in its first row: keyword and iso_code, and if you like
        location_name, language_code, device, engine, type, domain, update_frequency.
      </p>
      {error && <Notice kind="error">{error}</Notice>}
      <div class="field">
        <label for="import-file">File</label>
        <input
          id="import-file"
          type="file"
          accept=".csv,.tsv,.txt,text/csv"
          onChange={(event) => choose(event.currentTarget.files?.[0])}
        />
      </div>
      {preview && (
        <>
          <Notice kind="info">{previewText(preview)}</Notice>
          {preview.warnings.map((warning) => (
            <Notice kind="info" key={warning}>
              {warning}
            </Notice>
          ))}
          <RefusedLines lines={preview.refused_lines} />
        </>
      )}
      {preview && started === null && preview.accepted > 0 && (
        <button type="button" class="primary" disabled={isBusy} onClick={add}>
          {preview.refused === 0 ? 'Add the keywords' : 'Add the keywords of the good lines'}
        </button>
      )}
      {started !== null && <Progress path={path} id={started} />}
      {started !== null && <a href={hrefOf(['projects', id], { tab: 'keywords' })}>Show the keywords</a>}
    </section>
  );
};
