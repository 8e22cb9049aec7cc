/** The positions of the keywords of a project on two days, side by side. */
import type { ComparedDays } from '../../model/compared-days.ts';
import { changeQuery, hrefOf, hrefWith } from '../address.ts';
import { dayIn } from '../day-in-address.ts';
import { engineTitle } from '../engines.ts';
import { counted, day, pageText, time } from '../format.ts';
import { useLoaded } from '../hooks.ts';
import { call } from '../session.ts';
import { DayField } from './day-field.tsx';
import { SelectField } from './field.tsx';
import { useTagOptions } from './keyword-tags.tsx';
import { Empty, LoadState } from './notice.tsx';
import { Movement, positionText } from './position.tsx';
import { type Column, choiceIn, Table } from './table.tsx';

/** Keywords of a page: the service reads the history of each. */
const perPage = 50;

const weekSeconds = 7 * 86_400;

type Row = ComparedDays['data'][number];

const onDay = (id: 'before' | 'after', date: string): Column<Row> => ({
  id,
  title: date,
  kind: 'number',
  min: 120,
  label: date,
  cell: (row) => {
    const { position, crawled_at } = row[id];
    const isOfDay = crawled_at === null || day(crawled_at) === date;
    return (
      <span title={crawled_at === null ? '' : time(crawled_at)} class={isOfDay ? '' : 'dim'}>
        {positionText(position)}
      </span>
    );
  },
});

const columnsOf = (projectId: string, from: string, to: string): readonly Column<Row>[] => [
  {
    id: 'keyword',
    title: 'Keyword',
    min: 180,
    cell: ({ keyword_id, keyword, engine, location, device }) => (
      <>
        <a class="clamped" title={keyword} href={hrefOf(['projects', projectId, 'keywords', keyword_id])}>
          {keyword}
        </a>
        <span class="under">{[engineTitle(engine), location, device].join(' · ')}</span>
      </>
    ),
  },
  onDay('before', from),
  onDay('after', to),
  {
    id: 'change',
    title: 'Change',
    kind: 'number',
    min: 100,
    label: 'Change',
    cell: ({ change }) => <Movement movement={change} />,
  },
  {
    id: 'page',
    title: 'Page',
    min: 200,
    hiddenBelow: 760,
    class: 'page dim',
    cell: ({ before, after, engine }) => (
      <>
        <span class="one-line" title={after.url}>
          {pageText(after.url, engine)}
        </span>
        {before.url !== '' && before.url !== after.url && (
          <span class="under one-line" title={before.url}>{`before: ${pageText(before.url, engine)}`}</span>
        )}
      </>
    ),
  },
];

const go = (changes: Parameters<typeof changeQuery>[0]): void => changeQuery({ cursor: '', ...changes });

export const Compare = ({ id, query }: { id: string; query: URLSearchParams }) => {
  const to = dayIn(query, 'to', day(Date.now() / 1000));
  const from = dayIn(query, 'from', day((Date.parse(to) || Date.now()) / 1000 - weekSeconds));
  const tag = query.get('tag') ?? '';
  const tags = useTagOptions(id, tag);
  const cursor = query.get('cursor') ?? '';
  const search = new URLSearchParams({ from, to, per_page: String(perPage), tag, cursor });
  const loaded = useLoaded(`compare/${id}?${search}`, (signal) =>
    call<ComparedDays>(`api/v1/projects/${id}/compare?${search}`, { signal }),
  );
  const { data } = loaded;
  return (
    <>
      <fieldset class="filters">
        <legend class="unseen">Days</legend>
        <DayField label="Day" value={from} onDay={(text) => text && go({ from: text })} />
        <DayField label="Compared with" value={to} onDay={(text) => text && go({ from, to: text })} />
        <SelectField
          label="Tag"
          value={tags.chosen}
          options={tags.options}
          onChoice={(chosen) => go({ tag: chosen })}
        />
      </fieldset>
      <LoadState loaded={loaded} what="the two days" />
      {data?.data.length === 0 && <Empty title="No keywords." />}
      {data && data.data.length > 0 && (
        <>
          <p class="dim">
            {`${counted(data.total, 'keyword')}. A day without a crawl is empty; in grey: the position of a crawl before it, of a keyword that is not crawled each day or not yet today.`}
          </p>
          <Table
            label={`Positions on ${from} and on ${to}`}
            columns={columnsOf(id, from, to)}
            rows={data.data}
            keyOf={({ keyword_id }) => keyword_id}
            choice={choiceIn(query)}
          />
        </>
      )}
      {data && (cursor || data.cursor) && (
        <nav class="pager" aria-label="Pages">
          {cursor && <a href={hrefWith({ cursor: undefined })}>First page</a>}
          {data.cursor && <a href={hrefWith({ cursor: data.cursor })}>Next page</a>}
        </nav>
      )}
    </>
  );
};
