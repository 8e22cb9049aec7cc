/** The attempts at the webhook of a task, with a button that sends it again. */
import type { Deliveries } from '../../model/deliveries.ts';
import { count, time } from '../format.ts';
import { announce, useAction, useLoaded } from '../hooks.ts';
import { call } from '../session.ts';
import { type Api, taskPath } from '../task.ts';
import { useMayWrite } from '../user.tsx';
import { Empty, Notice, Waiting } from './notice.tsx';
import { type Column, Table } from './table.tsx';
import { Tag } from './tag.tsx';

const pollWhileSendingMs = 2000;

type Attempt = Deliveries['attempts'][number];

export const attemptColumns: readonly Column<Attempt>[] = [
  { id: 'time', title: 'Time', min: 170, class: 'when', cell: (attempt) => time(attempt.time) },
  {
    id: 'status',
    title: 'Status',
    kind: 'number',
    min: 80,
    label: 'Status',
    cell: ({ status }) => status ?? '–',
  },
  {
    id: 'duration',
    title: 'Duration',
    kind: 'number',
    min: 90,
    label: 'Duration',
    cell: ({ duration_ms }) => (duration_ms === null ? '–' : `${count(duration_ms)} ms`),
  },
  {
    id: 'error',
    title: 'Error',
    min: 140,
    class: 'break',
    cell: ({ error }) => (
      <span class="clamped" title={error ?? undefined}>
        {error ?? ''}
      </span>
    ),
  },
];

export const readDeliveries = (api: Api, id: number | string, signal?: AbortSignal): Promise<Deliveries> =>
  call<Deliveries>(`${taskPath(api, id)}/deliveries`, signal ? { signal } : {});

/** Whether the state may change by itself soon. */
export const isUnderWay = ({ state }: Pick<Deliveries, 'state'>): boolean =>
  state === 'pending' || state === 'sending';

/** Sends a webhook again, and calls `done` when the service has accepted that. */
export const SendAgain = ({
  api,
  id,
  state,
  done,
}: {
  api: Api;
  id: number | string;
  state: Deliveries['state'];
  done: () => void;
}) => {
  const { isBusy, error, run } = useAction();
  const mayWrite = useMayWrite();
  if (!mayWrite) return null;
  const send = () =>
    run(async () => {
      await call<Deliveries>(`${taskPath(api, id)}/postback`, { method: 'POST' });
      announce('The webhook is sent again.');
      done();
    });
  return (
    <>
      <button
        type="button"
        class="small"
        disabled={isBusy || state === 'sending' || state === null}
        onClick={send}
        aria-label={`Send again: the webhook of task ${id}`}
      >
        Send again
      </button>
      {error && <Notice kind="error">{error}</Notice>}
    </>
  );
};

export const DeliveriesPanel = ({ api, id }: { api: Api; id: number | string }) => {
  const { data, error, reload } = useLoaded(
    `deliveries/${api}/${id}`,
    (signal) => readDeliveries(api, id, signal),
    (read) => (isUnderWay(read) ? pollWhileSendingMs : null),
  );
  if (error) return <Notice kind="error">{error}</Notice>;
  if (!data) return <Waiting what="the deliveries" />;
  if (data.postback_url === null) return <Empty title="This task has no webhook." />;
  return (
    <>
      <div class="summary">
        {data.state ? <Tag state={data.state} /> : <span>Sent at the end of the task</span>}
        <span class="break">{data.postback_url}</span>
        <SendAgain api={api} id={id} state={data.state} done={reload} />
      </div>
      {data.attempts.length > 0 && (
        <Table
          label="Attempts at the webhook"
          class=""
          columns={attemptColumns}
          rows={data.attempts}
          keyOf={(attempt) => `${attempt.time} ${attempt.duration_ms}`}
        />
      )}
      {data.delivery_id && <p class="hint">webhook-id: {data.delivery_id}</p>}
    </>
  );
};
