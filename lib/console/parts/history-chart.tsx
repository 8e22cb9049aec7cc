/** The positions of a keyword over time, with the competitors, the gaps, the kinds of items and the notes. */
import type { ManagedKeyword, TrackedHistory } from '../../model/managed-keyword.ts';
import { shortUrl, words } from '../format.ts';
import type { ChartMark, ChartNote } from '../lazy/chart.tsx';
import { Chart } from './lazy.tsx';
import { noteMarks } from './note-list.tsx';
import { drawnPosition } from './position.tsx';

/** The lines of the chart at most: the keyword's own domain and some competitors. */
const mostLines = 6;

/** Pages of the domain that have a row of marks, the most frequent. */
const namedPages = 4;

/** On which crawls each page of the domain was the best one: a row for each page, if there were several. */
const pagesOf = (data: TrackedHistory['data']): ChartMark[] => {
  const crawls = Map.groupBy(
    data.filter(({ url }) => url !== ''),
    ({ url }) => url,
  );
  if (crawls.size < 2) return [];
  return [...crawls]
    .map(([url, all]) => ({ name: shortUrl(url), times: all.map(({ created_at }) => created_at) }))
    .sort((a, b) => b.times.length - a.times.length)
    .slice(0, namedPages);
};

/** When another page than before was the best one. */
const changesOf = (data: TrackedHistory['data']): ChartNote[] =>
  data.flatMap(({ created_at, url_changed }) => (url_changed ? [{ time: created_at, name: 'URL' }] : []));

/** When each kind of item was on the result page, the most frequent first. */
const featuresOf = (data: TrackedHistory['data']): ChartMark[] => {
  const times = new Map<string, number[]>();
  for (const { created_at, features } of data) {
    for (const feature of features) times.set(feature, [...(times.get(feature) ?? []), created_at]);
  }
  return [...times]
    .map(([name, at]) => ({ name: words(name), times: at }))
    .sort((a, b) => b.times.length - a.times.length);
};

export const HistoryChart = ({ history, keyword }: { history: TrackedHistory; keyword: ManagedKeyword }) => {
  const { data, gaps, notes } = history;
  const competitors = [...new Set(data.flatMap((row) => Object.keys(row.competitors)))].slice(
    0,
    mostLines - 1,
  );
  const value = (position: number | undefined) => (position === undefined ? null : drawnPosition(position));
  return (
    <Chart
      label="Positions over time, the first position at the top. The table below has every value."
      times={data.map(({ created_at }) => created_at)}
      series={[
        { name: keyword.domain || 'Position', values: data.map(({ position }) => drawnPosition(position)) },
        ...competitors.map((name) => ({ name, values: data.map((row) => value(row.competitors[name])) })),
      ]}
      text={(position) => (position > 100 ? 'not ranked' : String(position))}
      gaps={gaps.map(({ created_at }) => created_at)}
      marks={[...pagesOf(data), ...featuresOf(data)]}
      notes={[
        ...noteMarks(
          notes,
          [...data, ...gaps].map(({ created_at }) => created_at),
        ),
        ...changesOf(data),
      ]}
      mostSeconds={Math.max(1, Math.ceil(keyword.update_frequency / 24)) * 1.5 * 86_400}
      isRank
    />
  );
};
