/**
 * What the lists of tasks and of deliveries share: the filter in the address, and one page of tasks that is
 * loaded again while one runs.
 */
import { inEitherCase } from '../../model/either-case.ts';
import { hrefOf } from '../address.ts';
import { useAddressText, useLoaded } from '../hooks.ts';
import { call } from '../session.ts';
import { type AnyTask, type Api, isFinal } from '../task.ts';
import { SelectField, TextField } from './field.tsx';

type TaskList = { num_items: number; items: AnyTask[]; cursor: string | null };

/** Version 1 lists one status at a time. */
const statusesOf: Record<Api, string[]> = {
  v2: ['all', 'success', 'error', 'awaiting', 'crawling', 'parsing', 'dead_letter'],
  v1: ['success', 'error', 'awaiting', 'crawling', 'parsing', 'dead_letter'],
};

/** Milliseconds between two reads: fewer reads if nothing is under way. */
const busyMs = 3000;
const calmMs = 20_000;

/** Whose tasks: `own`: those that a client asked for; `tracked`: those of tracked keywords. */
const sources = [
  ['', 'All tasks'],
  ['own', 'Asked for'],
  ['tracked', 'Of tracked keywords'],
] as const;

export type TaskFilter = { api: Api; status: string; cursor: string; source: string; search: string };

/** Whether the service made the task for a tracked keyword. */
export const isTracked = ({ post_id }: AnyTask): boolean => post_id === 'tracking';

/** Whether a task passes what the service does not filter by. */
const passes = (task: AnyTask, { source, search }: TaskFilter): boolean =>
  (source === '' || isTracked(task) === (source === 'tracked')) &&
  inEitherCase(task.keyword).includes(inEitherCase(search.trim()));

export const filterOf = (query: URLSearchParams): TaskFilter => {
  const api: Api = query.get('api') === 'v1' ? 'v1' : 'v2';
  const asked = query.get('status') ?? '';
  return {
    api,
    status: statusesOf[api].includes(asked) ? asked : (statusesOf[api][0] ?? ''),
    cursor: query.get('cursor') ?? '',
    source: sources.find(([each]) => each === query.get('source'))?.[0] ?? '',
    search: query.get('search') ?? '',
  };
};

/** Pages that are read at most to find a task to show. */
const maxPages = 8;

/** Tasks that are shown together at least, if there are so many. */
const leastTasks = 25;

/** The tasks to show of one page, or of several if few of them are shown. */
const readTasks = async (
  filter: TaskFilter,
  isShown: (task: AnyTask) => boolean,
  signal: AbortSignal,
): Promise<TaskList> => {
  const { api, status, cursor } = filter;
  const items: AnyTask[] = [];
  let next = cursor;
  for (let pages = 1; ; pages += 1) {
    const query = new URLSearchParams({ status, ...(next && { cursor: next }) });
    const list = await call<TaskList>(`api/${api}/serp/crawl?${query}`, { signal });
    items.push(...list.items.filter((task) => isShown(task) && passes(task, filter)));
    if (items.length >= leastTasks || list.cursor === null || pages === maxPages) return { ...list, items };
    next = list.cursor;
  }
};

export const useTasks = (filter: TaskFilter, isShown: (task: AnyTask) => boolean = () => true) => {
  const { api, status, cursor, source, search } = filter;
  return useLoaded(
    `tasks/${api}/${status}/${cursor}/${source}/${search}`,
    (signal) => readTasks(filter, isShown, signal),
    // Only the first page gets new tasks.
    ({ items }) => (items.every(isFinal) ? (cursor ? null : calmMs) : busyMs),
  );
};

const hrefFor = (place: string, { api, status, cursor, source, search }: TaskFilter): string =>
  hrefOf([place], {
    api: api === 'v1' ? api : undefined,
    status: status === 'all' ? undefined : status,
    cursor,
    source,
    search,
  });

const titles: Record<string, string> = { all: 'Any status', dead_letter: 'Dead letter' };

const titleOf = (status: string): string => titles[status] ?? `${status[0]?.toUpperCase()}${status.slice(1)}`;

export const TaskFilters = ({ place, filter }: { place: string; filter: TaskFilter }) => {
  const go = (changes: Partial<TaskFilter>) => {
    location.hash = hrefFor(place, { ...filter, cursor: '', ...changes });
  };
  const [text, setText] = useAddressText(filter.search, (search) => go({ search }));
  return (
    <fieldset class="filters">
      <legend class="unseen">Filter</legend>
      <TextField label="Keyword" type="search" value={text} onText={setText} />
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
      <SelectField
        label="Tasks"
        value={filter.source}
        options={sources}
        onChoice={(source) => go({ source })}
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
