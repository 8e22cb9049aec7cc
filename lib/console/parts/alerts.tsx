/** The alerts of a project: its rule, what was sent, and the attempts at each delivery. */
import type { AlertDeliveries, AlertList } from '../../model/alert-deliveries.ts';
import type { ManagedProject } from '../../model/project.ts';
import { hrefWith } from '../address.ts';
import { count, time } from '../format.ts';
import { announce, useAction, useLoaded } from '../hooks.ts';
import { call } from '../session.ts';
import { useMayWrite } from '../user.tsx';
import { AlertRuleForm } from './alert-rule.tsx';
import { attemptColumns, isUnderWay } from './deliveries-panel.tsx';
import { Empty, LoadState, Notice } from './notice.tsx';
import { type Column, Table } from './table.tsx';
import { Tag } from './tag.tsx';

type Sent = AlertList['data'][number];

const pollMs = 3000;

const SendAgain = ({ path, alert, done }: { path: string; alert: Sent; done: () => void }) => {
  const { isBusy, error, run } = useAction();
  const mayWrite = useMayWrite();
  if (!mayWrite || alert.state === null) return null;
  const send = () =>
    run(async () => {
      await call(`${path}/${alert.alert_id}/postback`, { method: 'POST' });
      announce('The alert is sent again.');
      done();
    });
  return (
    <>
      <button
        type="button"
        class="small"
        disabled={isBusy || alert.state === 'sending'}
        onClick={send}
        aria-label={`Send again: the alert of ${alert.alert_date} to ${alert.postback_url}`}
      >
        Send again
      </button>
      {error && <Notice kind="error">{error}</Notice>}
    </>
  );
};

const columnsOf = (path: string, done: () => void): readonly Column<Sent>[] => [
  {
    id: 'date',
    title: 'Day',
    min: 130,
    class: 'when',
    cell: ({ alert_id, alert_date }) => <a href={hrefWith({ alert: alert_id })}>{alert_date}</a>,
  },
  {
    id: 'changes',
    title: 'Changes',
    kind: 'number',
    min: 90,
    label: 'Changes',
    cell: ({ changes }) => (changes === null ? 'summary' : count(changes)),
  },
  {
    id: 'state',
    title: 'Delivery',
    min: 150,
    label: 'Delivery',
    cell: ({ state, postback_url }) => (
      <>
        {state ? <Tag state={state} /> : <span class="dim">not known any more</span>}
        {postback_url && (
          <span class="under break clamped" title={postback_url}>
            {postback_url.replace(/^mailto:/, '')}
          </span>
        )}
      </>
    ),
  },
  { id: 'found', title: 'Found', min: 180, label: 'Found', cell: ({ created_at }) => time(created_at) },
  {
    id: 'actions',
    title: 'Actions',
    kind: 'unseen',
    min: 130,
    cell: (alert) => <SendAgain path={path} alert={alert} done={done} />,
  },
];

const Attempts = ({ path, id, state }: { path: string; id: string; state: string | null }) => {
  const loaded = useLoaded(
    `${path}/${id}/${state}`,
    (signal) => call<AlertDeliveries>(`${path}/${encodeURIComponent(id)}/deliveries`, { signal }),
    (read) => (isUnderWay(read) ? pollMs : null),
  );
  const { data } = loaded;
  return (
    <div class="card flush">
      <div class="card-head">
        <h2>Attempts</h2>
        <a href={hrefWith({ alert: undefined })}>Close</a>
      </div>
      <LoadState loaded={loaded} what="the attempts" />
      {data?.attempts.length === 0 && <Empty title="No attempts yet." />}
      {data && data.attempts.length > 0 && (
        <Table
          label="Attempts at the delivery"
          class=""
          columns={attemptColumns}
          rows={data.attempts}
          keyOf={(attempt) => `${attempt.time} ${attempt.duration_ms}`}
        />
      )}
    </div>
  );
};

type Props = { project: ManagedProject; query: URLSearchParams; changed: () => void };

export const Alerts = ({ project, query, changed }: Props) => {
  const mayWrite = useMayWrite();
  const path = `api/v1/projects/${project.project_id}/alerts`;
  const loaded = useLoaded(
    path,
    (signal) => call<AlertList>(path, { signal }),
    ({ data }) => (data.some(isUnderWay) ? pollMs : null),
  );
  const { data, reload } = loaded;
  const chosen = query.get('alert');
  const state = data?.data.find(({ alert_id }) => String(alert_id) === chosen)?.state ?? null;
  return (
    <>
      {mayWrite && <AlertRuleForm project={project} changed={changed} />}
      <LoadState loaded={loaded} what="the alerts" />
      {data?.data.length === 0 && (
        <Empty title="No alerts in the last 34 days.">
          {project.alerts
            ? 'An alert is sent on a day on which something changes that the rule reports.'
            : 'The project has no rule.'}
        </Empty>
      )}
      {data && data.data.length > 0 && (
        <Table
          label="Alerts, newest first"
          columns={columnsOf(path, reload)}
          rows={data.data}
          keyOf={({ alert_id }) => alert_id}
        />
      )}
      {chosen && <Attempts path={path} id={chosen} state={state} />}
    </>
  );
};
