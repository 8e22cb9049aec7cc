/** A form that saves the data of a project as a file: it reads all pages of the list, one after another. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { counted, day } from '../format.ts';
import { announce, useAction } from '../hooks.ts';
import { CallError, callPage } from '../session.ts';
import { saveFile } from './export.tsx';
import { SelectField, TextField } from './field.tsx';
import { Notice } from './notice.tsx';

const daySeconds = 86_400;

/** The days of a range at most, and of one that a person has not chosen. */
const mostDays = 180;
const usualDays = 30;

const kinds = [
  ['positions', 'Positions: a row for each keyword and day'],
  ['own_urls', 'Our pages: a row for each page of the domain'],
  ['share', 'Share of voice: a row for each domain and day'],
] as const;

type Kind = (typeof kinds)[number][0];

const forms = [
  ['csv', 'CSV'],
  ['excel', 'CSV for spreadsheets'],
  ['jsonl', 'JSON lines'],
] as const;

type Form = (typeof forms)[number][0];

const formQuery: Record<Form, Record<string, string>> = {
  csv: { format: 'csv' },
  excel: { format: 'csv', for: 'excel' },
  jsonl: { format: 'jsonl' },
};

/** Rows that a response should have at most: it must not be larger than 6 MB. */
const mostRows = 12_000;

/** Keywords of a page, so that its rows fit into a response. */
const pageSize = (kind: Kind, days: number): number => {
  const rowsOfKeyword = Math.max(1, days) * (kind === 'own_urls' ? 4 : 1);
  return Math.min(500, Math.max(1, Math.floor(mostRows / rowsOfKeyword)));
};

/** A page as a part of the file: only the first one has the names of the columns. */
const partOf = (text: string, form: Form, isFirst: boolean): string =>
  isFirst || form === 'jsonl' ? text : text.slice(text.indexOf('\n') + 1);

const rowsIn = (text: string): number => text.split('\n').length - 1;

type Wanted = { path: string; query: Record<string, string>; perPage: number; form: Form };

/** Reads all pages. `tell`: how many lines there are so far. */
const readAll = async (
  { path, query, perPage, form }: Wanted,
  signal: AbortSignal,
  tell: (rows: number) => void,
): Promise<string[]> => {
  const parts: string[] = [];
  let [cursor, size, rows] = ['', perPage, 0];
  do {
    const search = new URLSearchParams({ ...query, per_page: String(size), ...(cursor && { cursor }) });
    try {
      const { text, next } = await callPage(`${path}?${search}`, { signal });
      const part = partOf(text, form, parts.length === 0);
      parts.push(part);
      rows += rowsIn(part);
      cursor = next;
      tell(rows);
    } catch (error) {
      // The page is too large for a response.
      if (!(error instanceof CallError) || error.status !== 413 || size === 1) throw error;
      size = Math.ceil(size / 2);
    }
  } while (cursor !== '' || parts.length === 0);
  return parts;
};

export const ProjectExport = ({ id }: { id: string }) => {
  const today = Math.floor(Date.now() / 1000);
  const [kind, setKind] = useState<Kind>('positions');
  const [form, setForm] = useState<Form>('csv');
  const [from, setFrom] = useState(day(today - usualDays * daySeconds));
  const [to, setTo] = useState(day(today));
  const [rows, setRows] = useState<number | null>(null);
  const abort = useRef<AbortController | null>(null);
  const { isBusy, error, run } = useAction();
  useEffect(() => () => abort.current?.abort(), []);
  const days = Math.round((Date.parse(to) - Date.parse(from)) / 1000 / daySeconds) + 1;
  const wanted = (): Wanted => {
    const path = `api/v1/projects/${id}`;
    return kind === 'share'
      ? { path: `${path}/visibility`, query: formQuery[form], perPage: 0, form }
      : {
          path: `${path}/export`,
          query: { rows: kind, start_date: from, end_date: to, ...formQuery[form] },
          perPage: pageSize(kind, days),
          form,
        };
  };
  const save = () =>
    run(async () => {
      setRows(0);
      abort.current = new AbortController();
      try {
        const parts = await readAll(wanted(), abort.current.signal, setRows);
        const name = `${kind.replace('_', '-')}-${id}.${form === 'jsonl' ? 'jsonl' : 'csv'}`;
        saveFile(parts, form === 'jsonl' ? 'application/jsonl' : 'text/csv', name);
        announce(`${name} was saved.`);
      } finally {
        setRows(null);
      }
    });
  return (
    <form
      class="card"
      aria-label="Export"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <h2>Save as a file</h2>
      {error && <Notice kind="error">{error}</Notice>}
      <div class="fields">
        <SelectField
          class="wide"
          label="What"
          value={kind}
          options={kinds}
          onChoice={(chosen) => setKind(kinds.find(([each]) => each === chosen)?.[0] ?? 'positions')}
        />
        <SelectField
          label="Form"
          value={form}
          options={forms}
          onChoice={(chosen) => setForm(forms.find(([each]) => each === chosen)?.[0] ?? 'csv')}
        />
        {kind !== 'share' && (
          <>
            <TextField label="From" type="date" value={from} onText={setFrom} isRequired />
            <TextField label="To" type="date" value={to} onText={setTo} isRequired />
          </>
        )}
        <button type="submit" class="primary" disabled={isBusy}>
          Save
        </button>
      </div>
      <p class="hint">
        {kind === 'share'
          ? 'The last 31 days of the domain and its competitors.'
          : `At most ${mostDays} days. A crawl that failed has its reason in place of a position.`}{' '}
        In the form for spreadsheets, ids are texts and times are readable.
      </p>
      {rows !== null && <p class="dim">{`Reading: ${counted(rows, 'row')} so far…`}</p>}
    </form>
  );
};
