/** The keywords of a project: search, filter, order and pages are in the address. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ManagedKeyword, ManagedKeywordList } from '../../model/managed-keyword.ts';
import { hrefOf } from '../address.ts';
import { engineTitle } from '../engines.ts';
import { count, pageText } from '../format.ts';
import { announce, useLoaded, useSettled } from '../hooks.ts';
import { call } from '../session.ts';
import { ExportButton } from './export.tsx';
import { SelectField, TextField } from './field.tsx';
import { Empty, Notice, Waiting } from './notice.tsx';
import { Movement, positionText, Sparkline } from './position.tsx';
import { type Column, TableRoom } from './table.tsx';
import { Tag } from './tag.tsx';

const perPage = 50;

/** How often the keywords are read again, in milliseconds. */
const refreshMs = 60_000;

type Filter = {
  search: string;
  sort: string;
  order: string;
  type: string;
  device: string;
  status: string;
  cursor: string;
  /** The number of the page, from 1 on. Empty: the first. */
  page: string;
};

const names = ['search', 'sort', 'order', 'type', 'device', 'status', 'cursor', 'page'] as const;

/** Parts of the address that the service is not asked for. */
const ours: readonly string[] = ['page'];

const filterOf = (query: URLSearchParams): Filter =>
  Object.fromEntries(names.map((name) => [name, query.get(name) ?? ''])) as Filter;

/** Columns that the service can sort by. */
const sorts = [
  ['name', 'Keyword', ''],
  ['current_position', 'Position', 'number'],
  ['movement', 'Movement', 'number'],
  ['best_position', 'Best', 'number'],
] as const;

const columns: readonly Column[] = [
  ['Keyword', undefined, 240],
  ['Position', 'number', 110],
  ['Movement', 'number', 110],
  ['Best', 'number', 80],
  ['31 days', undefined, 150],
  ['Volume', 'number'],
  ['Page', undefined, 150],
];

/** The orders of cards, which have no header row. */
const orders = [
  ['', 'Oldest first'],
  ['name asc', 'Keyword'],
  ['current_position asc', 'Best position first'],
  ['current_position desc', 'Worst position first'],
  ['movement desc', 'Largest rise first'],
  ['movement asc', 'Largest fall first'],
] as const;

const types = [
  ['', 'All types'],
  ['owner', 'Own domain'],
  ['competitor', 'Competitors'],
  ['paid', 'Ads'],
] as const;

const devices = [
  ['', 'All devices'],
  ['desktop', 'Desktop'],
  ['mobile', 'Mobile'],
] as const;

const statuses = [
  ['', 'Any state'],
  ['updated', 'Updated'],
  ['updating', 'Updating'],
  ['pending', 'Pending'],
  ['failed', 'Failed'],
] as const;

const summaryOf = (total: number, page: number): string => {
  const keywords = `${count(total)} ${total === 1 ? 'keyword' : 'keywords'}`;
  const pages = Math.max(page, Math.ceil(total / perPage));
  return pages === 1 ? keywords : `${keywords}, page ${page} of ${count(pages)}`;
};

const Row = ({ projectId, keyword }: { projectId: string; keyword: ManagedKeyword }) => (
  <tr>
    <th scope="row">
      <a class="clamped" href={hrefOf(['projects', projectId, 'keywords', keyword.keyword_id])}>
        {keyword.keyword}
      </a>{' '}
      {keyword.paused && <Tag state="paused" />}
      {keyword.type !== 'owner' && <Tag state={keyword.type} />}
      <span class="under">
        {[engineTitle(keyword.engine), keyword.location_name || keyword.iso_code, keyword.device].join(' · ')}
      </span>
    </th>
    <td data-label="Position" class="number strong">
      {positionText(keyword.current_position)}
      {keyword.gap && (
        <span class="under" title={keyword.gap.reason}>
          last crawl failed
        </span>
      )}
    </td>
    <td data-label="Movement" class="number">
      <Movement movement={keyword.movement} />
    </td>
    <td data-label="Best" class="number">
      {positionText(keyword.best_position)}
    </td>
    <td>
      <Sparkline days={keyword.days} everyHours={keyword.update_frequency} />
    </td>
    <td data-label="Volume" class="number">
      {keyword.local_sv === null ? '–' : count(keyword.local_sv)}
    </td>
    <td class={`page dim ${keyword.url ? '' : 'none'}`}>
      <span class="one-line" title={keyword.url}>
        {pageText(keyword.url, keyword.engine)}
      </span>
      {keyword.cited && <span class="under">cited in the AI overview</span>}
    </td>
  </tr>
);

type Props = { projectId: string; query: URLSearchParams };

export const KeywordTable = ({ projectId, query }: Props) => {
  const filter = filterOf(query);
  const [text, setText] = useState(filter.search);
  const settled = useSettled(text);
  /** The searched text that this table wrote into the address last. */
  const written = useRef(filter.search);
  const go = (changes: Partial<Filter>) => {
    location.hash = hrefOf(['projects', projectId], { ...filter, cursor: '', page: '', ...changes });
  };
  useEffect(() => {
    if (settled === filter.search) return;
    written.current = settled;
    go({ search: settled });
  }, [settled]);
  // A link, or the way back, has changed the address.
  useEffect(() => {
    if (filter.search === written.current) return;
    written.current = filter.search;
    setText(filter.search);
  }, [filter.search]);

  const asked = Object.entries(filter).filter(([name, value]) => value !== '' && !ours.includes(name));
  const search = new URLSearchParams({ per_page: String(perPage), ...Object.fromEntries(asked) });
  const exported = new URLSearchParams(search);
  for (const name of ['per_page', 'cursor']) exported.delete(name);
  exported.set('format', 'csv');
  const { data, error } = useLoaded(
    `keywords/${projectId}?${search}`,
    (signal) => call<ManagedKeywordList>(`api/v1/projects/${projectId}/keywords?${search}`, { signal }),
    () => refreshMs,
  );
  const [last, setLast] = useState<ManagedKeywordList | null>(null);
  useEffect(() => {
    if (!data) return;
    setLast(data);
  }, [data]);
  const total = data?.total;
  useEffect(() => {
    if (total !== undefined) announce(`${count(total)} keywords.`);
  }, [total, `${search}`]);
  // The former page stays until the next one is there, so that nothing jumps.
  const shown = data ?? last;
  const page = Math.max(1, Math.floor(Number(filter.page)) || 1);
  const sortBy = (name: string) =>
    go({ sort: name, order: filter.sort === name && filter.order !== 'desc' ? 'desc' : 'asc' });
  const orderOf = (name: string) =>
    filter.sort === name ? (filter.order === 'desc' ? 'descending' : 'ascending') : undefined;
  return (
    <>
      <fieldset class="filters">
        <legend class="unseen">Filter</legend>
        <TextField label="Search" type="search" value={text} onText={setText} />
        <SelectField label="Type" value={filter.type} options={types} onChoice={(type) => go({ type })} />
        <SelectField
          label="Device"
          value={filter.device}
          options={devices}
          onChoice={(device) => go({ device })}
        />
        <SelectField
          label="State"
          value={filter.status}
          options={statuses}
          onChoice={(status) => go({ status })}
        />
        <SelectField
          class="cards-only"
          label="Order"
          value={filter.sort === '' ? '' : `${filter.sort} ${filter.order || 'asc'}`}
          options={orders}
          onChoice={(chosen) => {
            const [sort = '', order = ''] = chosen.split(' ');
            go({ sort, order });
          }}
        />
      </fieldset>
      {error && <Notice kind="error">{error}</Notice>}
      {!shown && !error && <Waiting what="the keywords" />}
      {shown?.data.length === 0 && (
        <Empty title="No keywords.">
          {query.size > 0 ? (
            'No keyword passes the filter.'
          ) : (
            <a href={hrefOf(['projects', projectId], { tab: 'add' })}>Add keywords</a>
          )}
        </Empty>
      )}
      {shown && shown.data.length > 0 && (
        <>
          <div class="above-table">
            <p class="dim">{summaryOf(shown.total, page)}</p>
            <ExportButton
              text="Export as CSV"
              path={`api/v1/projects/${projectId}/keywords?${exported}`}
              type="text/csv"
              name={`keywords-${projectId}.csv`}
            />
          </div>
          <TableRoom label="Keywords" columns={columns} class="card flush">
            <table class="rows keywords" aria-busy={!data}>
              <caption class="unseen">Keywords with their positions</caption>
              <thead>
                <tr>
                  {sorts.map(([name, title, kind]) => (
                    <th key={name} scope="col" class={kind} aria-sort={orderOf(name)}>
                      <button type="button" onClick={() => sortBy(name)}>
                        {title}
                        <span aria-hidden="true">
                          {orderOf(name) === 'ascending' ? ' ↑' : orderOf(name) === 'descending' ? ' ↓' : ''}
                        </span>
                      </button>
                    </th>
                  ))}
                  <th scope="col">31 days</th>
                  <th scope="col" class="number">
                    Volume
                  </th>
                  <th scope="col">Page</th>
                </tr>
              </thead>
              <tbody>
                {shown.data.map((keyword) => (
                  <Row key={keyword.keyword_id} projectId={projectId} keyword={keyword} />
                ))}
              </tbody>
            </table>
          </TableRoom>
          {(shown.total > perPage || page > 1) && (
            <nav class="pager" aria-label="Pages">
              <button
                type="button"
                disabled={!data?.prev_cursor}
                onClick={() =>
                  go(page <= 2 ? {} : { cursor: data?.prev_cursor ?? '', page: String(page - 1) })
                }
              >
                Previous
              </button>
              <button
                type="button"
                disabled={!data?.cursor}
                onClick={() => go({ cursor: data?.cursor ?? '', page: String(page + 1) })}
              >
                Next
              </button>
            </nav>
          )}
        </>
      )}
    </>
  );
};
