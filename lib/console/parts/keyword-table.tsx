/** The keywords of a project: search, filter, order, columns and pages are in the address. */
import { useEffect, useState } from 'preact/hooks';
import type { ManagedKeywordList } from '../../model/managed-keyword.ts';
import { hrefOf } from '../address.ts';
import { count, counted } from '../format.ts';
import { announce, useLoaded } from '../hooks.ts';
import { useRowKeys } from '../row-keys.ts';
import { call } from '../session.ts';
import { useMayWrite, Writers } from '../user.tsx';
import { BulkEdit } from './bulk-edit.tsx';
import { ColumnChoice } from './column-choice.tsx';
import { ExportButton } from './export.tsx';
import { SelectField } from './field.tsx';
import { keywordColumns } from './keyword-columns.tsx';
import { asked, type Filter, filterOf, go, KeywordFilters, sizes } from './keyword-filters.tsx';
import { Empty, Notice, Waiting } from './notice.tsx';
import { SavedViews } from './saved-views.tsx';
import { choiceIn, type Order, OrderField, Table } from './table.tsx';

/** How often the keywords are read again, in milliseconds. */
const refreshMs = 60_000;

const summaryOf = (total: number, { page, perPage }: Filter): string => {
  const keywords = `${count(total)} ${total === 1 ? 'keyword' : 'keywords'}`;
  const pages = Math.max(page, Math.ceil(total / perPage));
  return pages === 1 ? keywords : `${keywords}, page ${page} of ${count(pages)}`;
};

type PagerProps = { filter: Filter; total: number; list: ManagedKeywordList | null };

const Pager = ({ filter: { page, perPage }, total, list }: PagerProps) => (
  <nav class="pager" aria-label="Pages">
    <button
      type="button"
      disabled={!list?.prev_cursor}
      onClick={() => go(page <= 2 ? {} : { cursor: list?.prev_cursor ?? '', page: String(page - 1) })}
    >
      Previous
    </button>
    <button
      type="button"
      disabled={!list?.cursor}
      onClick={() => go({ cursor: list?.cursor ?? '', page: String(page + 1) })}
    >
      Next
    </button>
    {total > sizes[0] && (
      <SelectField
        class="inline"
        label="Keywords of a page"
        value={String(perPage)}
        options={sizes.map((size) => [String(size), String(size)] as const)}
        onChoice={(size) => go({ per_page: size === String(sizes[0]) ? '' : size })}
      />
    )}
  </nav>
);

type Props = { projectId: string; query: URLSearchParams };

export const KeywordTable = ({ projectId, query }: Props) => {
  const filter = filterOf(query);
  const given = asked.flatMap((name) => (filter[name] === '' ? [] : [[name, filter[name]]]));
  const search = new URLSearchParams([['per_page', String(filter.perPage)], ...given]);
  const exported = new URLSearchParams(search);
  for (const name of ['per_page', 'cursor']) exported.delete(name);
  exported.set('format', 'csv');
  const { data, error, reload } = useLoaded(
    `keywords/${projectId}?${search}`,
    (signal) => call<ManagedKeywordList>(`api/v1/projects/${projectId}/keywords?${search}`, { signal }),
    () => refreshMs,
  );
  const [last, setLast] = useState<ManagedKeywordList | null>(null);
  useEffect(() => {
    if (data) setLast(data);
  }, [data]);
  const total = data?.total;
  useEffect(() => {
    if (total !== undefined) announce(`${counted(total, 'keyword')}.`);
  }, [total, `${search}`]);
  // The former page stays until the next one is there, so that nothing jumps.
  const shown = data ?? last;
  useRowKeys();
  const mayWrite = useMayWrite();
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set());
  const choose = (id: number, isChosen: boolean) =>
    setIds((former) => new Set([...former].filter((each) => each !== id).concat(isChosen ? [id] : [])));
  const columns = keywordColumns(projectId, mayWrite ? { ids, choose } : null);
  const choice = choiceIn(query);
  const order: Order = {
    by: filter.sort,
    isDescending: filter.order === 'desc',
    first: 'Oldest first',
    isElsewhere: true,
    go: (sort, isDescending) => go({ sort, order: sort && (isDescending ? 'desc' : 'asc') }),
  };
  const views = <SavedViews projectId={projectId} query={query} />;
  const changed = () => {
    setIds(new Set());
    reload();
  };
  return (
    <>
      <KeywordFilters projectId={projectId} filter={filter} />
      {error && <Notice kind="error">{error}</Notice>}
      {!shown && !error && <Waiting what="the keywords" />}
      {shown?.data.length === 0 && views}
      {shown?.data.length === 0 && (
        <Empty title="No keywords.">
          {given.length > 0 ? (
            'No keyword passes the filter.'
          ) : (
            <Writers>
              <a href={hrefOf(['projects', projectId], { tab: 'add' })}>Add keywords</a>
            </Writers>
          )}
        </Empty>
      )}
      {shown && shown.data.length > 0 && (
        <>
          <Table
            label="Keywords with their positions"
            class="card flush keywords"
            columns={columns}
            rows={shown.data}
            keyOf={({ keyword_id }) => keyword_id}
            choice={choice}
            above={(columnsShown) => (
              <>
                <div class="above-table">
                  <p class="dim">{summaryOf(shown.total, filter)}</p>
                  {mayWrite && (
                    <button
                      type="button"
                      class="small"
                      onClick={() =>
                        setIds(new Set(ids.size > 0 ? [] : shown.data.map(({ keyword_id }) => keyword_id)))
                      }
                    >
                      {ids.size > 0 ? 'Choose none' : 'Choose this page'}
                    </button>
                  )}
                  {views}
                  <OrderField columns={columns} order={order} />
                  <ColumnChoice columns={columns} choice={choice} shown={columnsShown} />
                  <ExportButton
                    text="Export as CSV"
                    path={`api/v1/projects/${projectId}/keywords?${exported}`}
                    type="text/csv"
                    name={`keywords-${projectId}.csv`}
                  />
                </div>
                {mayWrite && <BulkEdit projectId={projectId} ids={[...ids]} done={changed} reload={reload} />}
              </>
            )}
            isStale={!data}
            order={order}
          />
          {(shown.total > filter.perPage || filter.page > 1 || filter.perPage > sizes[0]) && (
            <Pager filter={filter} total={shown.total} list={data} />
          )}
        </>
      )}
    </>
  );
};
