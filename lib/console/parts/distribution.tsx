/** How many keywords were in each band of positions, day by day, as bars and as a table. */
import type { Note } from '../../model/note.ts';
import type { ProjectOverview } from '../../model/project-overview.ts';
import { count } from '../format.ts';
import { type Column, Table } from './table.tsx';

type Day = ProjectOverview['days'][number];

const bands = [
  ['from_1_to_3', '1–3'],
  ['from_4_to_10', '4–10'],
  ['from_11_to_20', '11–20'],
  ['from_21_to_50', '21–50'],
  ['from_51_to_100', '51–100'],
  ['not_ranked', 'none'],
] as const;

const width = 620;
const height = 180;

const Bars = ({ days, notes }: { days: readonly Day[]; notes: readonly Note[] }) => {
  const most = Math.max(1, ...days.map(({ keywords }) => keywords));
  const step = width / days.length;
  return (
    <svg
      class="bars"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label="Keywords by position on each of the last days. The table below has every number."
    >
      {days.map((day, n) => {
        let top = height;
        return bands.map(([name], band) => {
          const size = (day[name] / most) * height;
          top -= size;
          return (
            <rect
              key={`${day.date} ${name}`}
              class={`band-${band + 1}`}
              x={n * step}
              y={top}
              width={step - 2}
              height={size}
            />
          );
        });
      })}
      {days.map(
        ({ date }, n) =>
          notes.some((note) => note.date === date) && (
            <path key={date} class="note-line" d={`M${(n + 0.5) * step - 1} 0V${height}`} />
          ),
      )}
    </svg>
  );
};

const columns: readonly Column<Day>[] = [
  { id: 'date', title: 'Day', min: 120, class: 'when', cell: ({ date }) => date },
  ...bands.map(
    ([name, title]): Column<Day> => ({
      id: name,
      title,
      kind: 'number',
      min: 78,
      label: title,
      cell: (day) => count(day[name]),
    }),
  ),
  {
    id: 'average',
    title: 'Average',
    kind: 'number',
    min: 95,
    label: 'Average',
    cell: ({ average_of_ranked, keywords, not_ranked }) =>
      average_of_ranked === null
        ? '–'
        : `${average_of_ranked.toFixed(1)} (${count(keywords - not_ranked)} of ${count(keywords)})`,
  },
];

type Props = { overview: ProjectOverview; notes: readonly Note[] };

export const Distribution = ({ overview, notes }: Props) => {
  const { days, now } = overview;
  return (
    <section class="card" aria-label="Keywords by position">
      <h2>Keywords by position</h2>
      <ul class="legend">
        {bands.map(([name, title], n) => (
          <li key={name} class="band">
            <svg width="12" height="12" aria-hidden="true">
              <rect class={`band-${n + 1}`} width="12" height="12" rx="3" />
            </svg>
            {title} <strong>{count(now[name])}</strong>
          </li>
        ))}
      </ul>
      <Bars days={days} notes={notes} />
      <p class="hint bar-dates">
        <span>{days[0]?.date}</span>
        <span>{days.at(-1)?.date}</span>
      </p>
      {notes.length > 0 && (
        <p class="hint">A dashed line is a day with notes, which the share of voice lists.</p>
      )}
      <details>
        <summary>Every day as a table</summary>
        <Table
          label="Keywords by position, newest day first"
          class=""
          columns={columns}
          rows={days.toReversed().filter(({ keywords }) => keywords > 0)}
          keyOf={({ date }) => date}
        />
      </details>
    </section>
  );
};
