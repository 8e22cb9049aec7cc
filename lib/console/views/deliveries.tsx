/** The webhooks of recent tasks: their states, and a button that sends one again. */
import { useRef } from 'preact/hooks';
import type { Deliveries as TaskDeliveries } from '../../model/deliveries.ts';
import { hrefOf } from '../address.ts';
import { ago, count } from '../format.ts';
import { messageOf, useLoaded } from '../hooks.ts';
import { isUnderWay, readDeliveries, SendAgain } from '../parts/deliveries-panel.tsx';
import { Heading } from '../parts/heading.tsx';
import { Empty, LoadState } from '../parts/notice.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Tag } from '../parts/tag.tsx';
import { filterOf, TaskFilters, TaskPager, useTasks } from '../parts/task-list.tsx';
import type { AnyTask, Api } from '../task.ts';

const pollMs = 3000;

/** What is known of the webhook of a task, or why it is not known. */
type Known = TaskDeliveries | { failure: string };

type Row = { task: AnyTask; known: Known | undefined };

const isWebhook = (known: Known | undefined): known is TaskDeliveries =>
  known !== undefined && 'attempts' in known;

const State = ({ known }: { known: Known | undefined }) => {
  if (known === undefined) return <span class="dim">…</span>;
  if (!isWebhook(known)) return <span class="dim">{known.failure}</span>;
  return known.state ? <Tag state={known.state} /> : <span class="dim">task runs</span>;
};

const LastAttempt = ({ known }: { known: Known | undefined }) => {
  const last = isWebhook(known) ? known.attempts.at(-1) : undefined;
  if (!last) return null;
  return (
    <>
      <span class="clamped" title={last.error ?? undefined}>
        {last.error ?? last.status ?? ''}
      </span>{' '}
      <span class="dim">{ago(last.time)}</span>
    </>
  );
};

const columnsOf = (api: Api, sent: (task: AnyTask) => void): readonly Column<Row>[] => [
  {
    id: 'task',
    title: 'Task and receiver',
    min: 170,
    cell: ({ task }) => (
      <>
        <a class="clamped" title={task.keyword} href={hrefOf(['tasks', api, task.id], { tab: 'deliveries' })}>
          {task.keyword}
        </a>
        <span class="under break clamped" title={task.postback_url ?? undefined}>
          {task.postback_url}
        </span>
      </>
    ),
  },
  { id: 'state', title: 'State', min: 110, label: 'State', cell: ({ known }) => <State known={known} /> },
  {
    id: 'attempts',
    title: 'Attempts',
    kind: 'number',
    min: 90,
    label: 'Attempts',
    cell: ({ known }) => (isWebhook(known) ? count(known.attempts.length) : ''),
  },
  {
    id: 'last',
    title: 'Last attempt',
    min: 150,
    label: 'Last attempt',
    class: 'break',
    cell: ({ known }) => <LastAttempt known={known} />,
  },
  {
    id: 'actions',
    title: 'Actions',
    kind: 'unseen',
    min: 120,
    cell: ({ task, known }) => (
      <SendAgain
        api={api}
        id={task.id}
        state={isWebhook(known) ? known.state : null}
        done={() => sent(task)}
      />
    ),
  },
];

const hasWebhook = ({ postback_url }: AnyTask): boolean => postback_url !== null && postback_url !== '';

const keyOf = ({ id, status }: AnyTask): string => `${id}/${status}`;

/** Reads the webhooks of tasks. One that has reached its end is read once. */
const useWebhooks = (api: Api, tasks: readonly AnyTask[]) => {
  const ended = useRef(new Map<string, TaskDeliveries>());
  const read = async (task: AnyTask, signal: AbortSignal): Promise<[string, Known]> => {
    const key = keyOf(task);
    const former = ended.current.get(key);
    if (former) return [key, former];
    try {
      const known = await readDeliveries(api, task.id, signal);
      if (known.state !== null && !isUnderWay(known)) ended.current.set(key, known);
      return [key, known];
    } catch (error) {
      return [key, { failure: messageOf(error) }];
    }
  };
  const { data, reload } = useLoaded(
    tasks.length === 0 ? null : `deliveries/${api}/${tasks.map(keyOf)}`,
    async (signal) => new Map(await Promise.all(tasks.map((task) => read(task, signal)))),
    (known) => ([...known.values()].some((each) => isWebhook(each) && isUnderWay(each)) ? pollMs : null),
  );
  const sent = (task: AnyTask) => {
    ended.current.delete(keyOf(task));
    reload();
  };
  return { known: data, sent };
};

export const Deliveries = ({ query }: { query: URLSearchParams }) => {
  const filter = filterOf(query);
  const loaded = useTasks(filter, hasWebhook);
  const { data } = loaded;
  const tasks = data?.items ?? [];
  const { known, sent } = useWebhooks(filter.api, tasks);
  return (
    <>
      <Heading title="Deliveries" lead="Webhooks of tasks of the last 24 hours." />
      <TaskFilters place="deliveries" filter={filter} />
      <LoadState loaded={loaded} what="the deliveries" />
      {data && tasks.length === 0 && (
        <Empty title="No webhooks.">
          {data.cursor
            ? 'The newest tasks have none. Older ones may.'
            : 'No task of this list has a postback_url.'}
        </Empty>
      )}
      {tasks.length > 0 && (
        <Table
          label="Webhooks of tasks, newest task first"
          columns={columnsOf(filter.api, sent)}
          rows={tasks.map((task) => ({ task, known: known?.get(keyOf(task)) }))}
          keyOf={({ task }) => task.id}
        />
      )}
      <TaskPager place="deliveries" filter={filter} next={data?.cursor ?? null} />
    </>
  );
};
