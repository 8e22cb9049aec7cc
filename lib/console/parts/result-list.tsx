/** The parsed items of a page, as a list of buttons that show them on the page. */
import type { ResultItem } from '../../model/result.ts';
import type { TrackingResult } from '../../model/tracking-result.ts';
import { shortUrl, words } from '../format.ts';
import { type Column, Table } from './table.tsx';

const textOf = ({ title, items = [], snippet }: ResultItem): string =>
  title || items.join(', ') || snippet.slice(0, 120) || 'without a title';

type Props = {
  items: readonly ResultItem[];
  present: number | null;
  /** Which items were found on the page; null while that is not known. */
  found: readonly boolean[] | null;
  onChoice: (item: number) => void;
};

export const ResultList = ({ items, present, found, onChoice }: Props) => (
  <ol class="results">
    {items.map((item, n) => (
      <li key={n}>
        <button type="button" aria-pressed={present === n} onClick={() => onChoice(n)}>
          <span class="result-head">
            <span class={`kind kind-${item.type}`}>{words(item.type)}</span>
            <span class="rank">{item.position}</span>
            {found?.length === items.length && !found[n] && (
              <span class="result-note">not found on the page</span>
            )}
          </span>
          <span class="result-title">{textOf(item)}</span>
          {item.url && <span class="result-url">{shortUrl(item.url)}</span>}
          {item.title && item.snippet && <span class="result-snippet">{item.snippet}</span>}
        </button>
      </li>
    ))}
  </ol>
);

const shown = (position: string | undefined): string =>
  position === undefined ? '–' : position === '1000' ? 'not found' : position;

const typeNames = {
  owner: 'yours',
  competitor: 'competitor',
  competitor_free: 'other',
  unknown: 'unknown',
} as const;

const kinds = [
  ['organic', 'Organic'],
  ['local_pack', 'Local pack'],
  ['ai_overview', 'AI overview'],
] as const;

type Ranking = { domain: string } & TrackingResult[string];

const kindColumn = ([kind, title]: (typeof kinds)[number]): Column<Ranking> => ({
  id: kind,
  title,
  kind: 'number',
  min: 95,
  label: title,
  cell: ({ results }) => shown(results[kind]?.position),
});

/** The positions of the domains, with a column for each kind of result that the pages have. */
export const Rankings = ({ rankings }: { rankings: TrackingResult }) => {
  const rows = Object.entries(rankings).map(([domain, ranking]): Ranking => ({ domain, ...ranking }));
  const present = kinds.filter(
    ([kind]) => kind === 'organic' || rows.some(({ results }) => results[kind] !== undefined),
  );
  return (
    <Table
      label="Positions of domains"
      class="rankings"
      columns={[
        { id: 'domain', title: 'Domain', min: 120, cell: ({ domain }) => domain },
        { id: 'type', title: 'Type', min: 100, cell: ({ type }) => typeNames[type] },
        ...present.map(kindColumn),
      ]}
      rows={rows}
      keyOf={({ domain }) => domain}
    />
  );
};
