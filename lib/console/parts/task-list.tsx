/**
 * What the lists of tasks and of deliveries share: the filter in the address, and one page of tasks that is
 * loaded again while one runs.
 */
import { hrefOf } from '../address.ts';
import { useLoaded } from '../hooks.ts';
import { call } from '../session.ts';
import { type AnyTask, type Api, isFinal } from '../task.ts';
import { SelectField } from './field.tsx';

type TaskList = { num_items: number; items: AnyTask[]; cursor: string | null };

/** Version 1 lists one status at a time. */
const statusesOf: Record<Api, string[]> = {
  v2: ['all', 'success', 'error', 'awaiting', 'crawling', 'parsing', 'dead_letter'],
  v1: ['success', 'error', 'awaiting', 'crawling', 'parsing', 'dead_letter'],
};

/** Milliseconds between two reads: fewer reads if nothing is under way. */
const busyMs = 3000;
const calmMs = 20_000;

export type TaskFilter = { api: Api; status: string; cursor: string };

export const filterOf = (query: URLSearchParams): TaskFilter => {
  const api: Api = query.get('api') === 'v1' ? 'v1' : 'v2';
  const asked = query.get('status') ?? '';
  return {
    api,
    status: statusesOf[api].includes(asked) ? asked : (statusesOf[api][0] ?? ''),
    cursor: query.get('cursor') ?? '',
  };
};

/** Pages that are read at most to find a task to show. */
const maxPages = 8;

/** One page of tasks: the first that has a task to show. */
const readTasks = async (
  { api, status, cursor }: TaskFilter,
  isShown: (task: AnyTask) => boolean,
  signal: AbortSignal,
): Promise<TaskList> => {
  let next = cursor;
  for (let pages = 1; ; pages += 1) {
    const query = new URLSearchParams({ status, ...(next && { cursor: next }) });
    const list = await call<TaskList>(`api/${api}/serp/crawl?${query}`, { signal });
    const items = list.items.filter(isShown);
    if (items.length > 0 || list.cursor === null || pages === maxPages) return { ...list, items };
    next = list.cursor;
  }
};

export const useTasks = (filter: TaskFilter, isShown: (task: AnyTask) => boolean = () => true) => {
  const { api, status, cursor } = filter;
  return useLoaded(
    `tasks/${api}/${status}/${cursor}`,
    (signal) => readTasks(filter, isShown, signal),
    // Only the first page gets new tasks.
    ({ items }) => (items.every(isFinal) ? (cursor ? null : calmMs) : busyMs),
  );
};

const hrefFor = (place: string, { api, status, cursor }: TaskFilter): string =>
  hrefOf([place], {
    api: api === 'v1' ? api : undefined,
    status: status === 'all' ? undefined : status,
    cursor,
  });

const titles: Record<string, string> = { all: 'Any status', dead_letter: 'Dead letter' };

const titleOf = (status: string): string => titles[status] ?? `${status[0]?.toUpperCase()}${status.slice(1)}`;

export const TaskFilters = ({ place, filter }: { place: string; filter: TaskFilter }) => {
  const go = (changes: Partial<TaskFilter>) => {
    location.hash = hrefFor(place, { ...filter, cursor: '', ...changes });
  };
  return (
    <fieldset class="filters">
      <legend class="unseen">Filter</legend>
      <SelectField
        label="Interface"
        value={filter.api}
        options={[
          ['v2', 'Version 2 (Google)'],
          ['v1', 'Version 1 (all engines)'],
        ]}
        onChoice={(api) => go({ api: api === 'v1' ? 'v1' : 'v2', status: '' })}
      />
      <SelectField
        label="Status"
        value={filter.status}
        options={statusesOf[filter.api].map((status) => [status, titleOf(status)] as const)}
        onChoice={(status) => go({ status })}
      />
    </fieldset>
  );
};

/** Links to the first and to the next page of the list. */
export const TaskPager = ({
  place,
  filter,
  next,
}: {
  place: string;
  filter: TaskFilter;
  next: string | null;
}) =>
  filter.cursor || next ? (
    <nav class="pager" aria-label="Pages">
      {filter.cursor && <a href={hrefFor(place, { ...filter, cursor: '' })}>Newest</a>}
      {next && <a href={hrefFor(place, { ...filter, cursor: next })}>Older</a>}
    </nav>
  ) : null;
