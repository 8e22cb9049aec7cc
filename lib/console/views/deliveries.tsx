/** The webhooks of recent tasks: their states, and a button that sends one again. */
import { hrefOf } from '../address.ts';
import { ago, count } from '../format.ts';
import { useLoaded } from '../hooks.ts';
import { isUnderWay, readDeliveries, SendAgain } from '../parts/deliveries-panel.tsx';
import { Heading } from '../parts/heading.tsx';
import { Empty, LoadState } from '../parts/notice.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Tag } from '../parts/tag.tsx';
import { filterOf, TaskFilters, TaskPager, useTasks } from '../parts/task-list.tsx';
import type { AnyTask, Api } from '../task.ts';

const pollMs = 3000;

const columns: readonly Column[] = [
  ['Task and receiver'],
  ['State'],
  ['Attempts', 'number'],
  ['Last attempt'],
  ['Actions', 'unseen'],
];

const Row = ({ api, task }: { api: Api; task: AnyTask }) => {
  const { data, error, reload } = useLoaded(
    `delivery/${api}/${task.id}/${task.status}`,
    (signal) => readDeliveries(api, task.id, signal),
    (read) => (isUnderWay(read) ? pollMs : null),
  );
  const last = data?.attempts.at(-1);
  return (
    <tr>
      <th scope="row">
        <a href={hrefOf(['tasks', api, task.id], { tab: 'deliveries' })}>{task.keyword}</a>
        <span class="under break">{task.postback_url}</span>
      </th>
      <td data-label="State">
        {data?.state ? (
          <Tag state={data.state} />
        ) : (
          <span class="dim">{error ?? (data ? 'task runs' : '…')}</span>
        )}
      </td>
      <td data-label="Attempts" class="number">
        {data ? count(data.attempts.length) : ''}
      </td>
      <td data-label="Last attempt">
        {last && (
          <>
            {last.error ?? last.status ?? ''} <span class="dim">{ago(last.time)}</span>
          </>
        )}
      </td>
      <td>
        <SendAgain api={api} id={task.id} state={data?.state ?? null} done={reload} />
      </td>
    </tr>
  );
};

const hasWebhook = ({ postback_url }: AnyTask): boolean => postback_url !== null && postback_url !== '';

export const Deliveries = ({ query }: { query: URLSearchParams }) => {
  const filter = filterOf(query);
  const loaded = useTasks(filter, hasWebhook);
  const { data } = loaded;
  const tasks = data?.items ?? [];
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
        <Table label="Webhooks of tasks, newest task first" columns={columns}>
          {tasks.map((task) => (
            <Row key={task.id} api={filter.api} task={task} />
          ))}
        </Table>
      )}
      <TaskPager place="deliveries" filter={filter} next={data?.cursor ?? null} />
    </>
  );
};
