/** The share of voice of a project against its competitors, by day and now. */
import type { Visibility } from '../../model/visibility.ts';
import { count, counted, percent } from '../format.ts';
import { type Loaded, useLoaded } from '../hooks.ts';
import { call } from '../session.ts';
import { Chart } from './lazy.tsx';
import { NoteList, noteMarks } from './note-list.tsx';
import { Empty, LoadState } from './notice.tsx';
import { type Column, Table } from './table.tsx';

type Share = Visibility['data'][number];

const number = (id: string, title: string, cell: (row: Share) => string, min: number): Column<Share> => ({
  id,
  title,
  kind: 'number',
  min,
  label: title,
  cell,
});

const columns: readonly Column<Share>[] = [
  { id: 'domain', title: 'Domain', min: 150, cell: ({ domain }) => domain },
  number('share', 'Share of voice', ({ share }) => (share === null ? '–' : percent(share)), 140),
  number(
    'citations',
    'Share of citations',
    ({ citation_share }) => (citation_share === null ? '–' : percent(citation_share)),
    155,
  ),
  number('ranked', 'Ranked', ({ ranked, keywords }) => `${count(ranked)} of ${count(keywords)}`, 110),
  number('top_3', 'Top 3', (row) => count(row.top_3), 80),
  number('top_10', 'Top 10', (row) => count(row.top_10), 80),
  number('average', 'Average of ranked', (row) => row.average_of_ranked?.toFixed(1) ?? '–', 160),
  number('all', 'Average of all', (row) => row.average_of_all?.toFixed(1) ?? '–', 130),
];

const volumesText = ({ known, unknown, assumed }: Visibility['volumes']): string => {
  if (unknown === 0) return '';
  if (assumed === null) return 'The volume of no keyword is known, so all count alike.';
  return `The volume of ${count(unknown)} of ${counted(known + unknown, 'keyword')} is not known: it is taken to be ${count(assumed)}, the median.`;
};

export const useVisibility = (id: string): Loaded<Visibility> =>
  useLoaded(`visibility/${id}`, (signal) => call<Visibility>(`api/v1/projects/${id}/visibility`, { signal }));

type SharesOf = (day: Visibility['days'][number]) => Record<string, number | null>;

/** What is shown by day. */
type Shown = { title: string; sharesOf: SharesOf };

const ofClicks: Shown = { title: 'Share of voice', sharesOf: ({ shares }) => shares };
const ofCitations: Shown = {
  title: 'Share of citations in AI overviews',
  sharesOf: ({ citation_shares }) => citation_shares,
};

const Days = ({
  visibility: { data, days, notes },
  shown: { title, sharesOf } = ofClicks,
}: {
  visibility: Visibility;
  shown?: Shown;
}) => {
  const times = days.map(({ date }) => Date.parse(`${date}T00:00:00Z`) / 1000);
  return (
    <section class="card" aria-label={`${title} by day`}>
      <h2>{title}</h2>
      <Chart
        label={`${title} by day. The table below has the newest values.`}
        times={times}
        series={data.slice(0, 6).map(({ domain }) => ({
          name: domain,
          values: days.map((day) => sharesOf(day)[domain] ?? null),
        }))}
        text={percent}
        notes={noteMarks(notes, times)}
      />
      <NoteList notes={notes} />
    </section>
  );
};

/** The share of voice by day, without its figures. */
export const ShareChart = ({ visibility }: { visibility: Loaded<Visibility> }) =>
  visibility.data ? (
    <Days visibility={visibility.data} />
  ) : (
    <LoadState loaded={visibility} what="the share of voice" />
  );

export const ShareOfVoice = ({ id }: { id: string }) => {
  const visibility = useVisibility(id);
  const { data } = visibility;
  if (!data) return <LoadState loaded={visibility} what="the share of voice" />;
  const measured = data.days.filter(({ shares }) => Object.values(shares).some((share) => share !== null));
  if (measured.length === 0) return <Empty title="No positions in the last 31 days." />;
  const isCited = data.days.some((day) => Object.values(day.citation_shares).some((share) => share !== null));
  return (
    <>
      <p class="dim">
        The part of all expected clicks that a domain gets, by the volume of each keyword and the click rate
        of its position. {volumesText(data.volumes)} In the average of all, not ranked counts as 101.
      </p>
      {measured.length > 1 && <Days visibility={data} />}
      {isCited && <Days visibility={data} shown={ofCitations} />}
      <Table
        label="Share of voice of each domain"
        columns={columns}
        rows={data.data}
        keyOf={({ domain }) => domain}
      />
    </>
  );
};
