/**
 * The view in which a person tries a search: the form, the request, the result and the stored page side by
 * side.
 */
import { useEffect, useState } from 'preact/hooks';
import { hrefOf } from '../address.ts';
import { ago, words } from '../format.ts';
import { announce, useAction, useLoaded } from '../hooks.ts';
import { Code } from '../parts/code.tsx';
import { Heading } from '../parts/heading.tsx';
import { Empty, Notice, Waiting } from '../parts/notice.tsx';
import { OtherForms } from '../parts/other-forms.tsx';
import { RequestEditor } from '../parts/request-editor.tsx';
import { ResultView } from '../parts/result-view.tsx';
import { SearchForm } from '../parts/search-form.tsx';
import { Tag } from '../parts/tag.tsx';
import {
  apiOf,
  bodyFor,
  curlOf,
  firstBody,
  pathOf,
  type SearchBody,
  type Target,
  targetOf,
} from '../search.ts';
import { baseUrl, call } from '../session.ts';
import { type AnyTask, type Api, isFinal, pollMs, readTask } from '../task.ts';
import { useMayWrite } from '../user.tsx';

const Summary = ({ task, api }: { task: AnyTask; api: Api }) => (
  <div class="summary">
    <Tag state={task.status} />
    <a href={hrefOf(['tasks', api, task.id])}>Task {task.id}</a>
    <span>created {ago(task.created_at) || 'now'}</span>
    {task.reused && <span>answered from stored pages</span>}
    {task.status === 'success' && task.complete === false && <span>not complete</span>}
    {'total_results' in task && task.total_results && <span>{task.total_results}</span>}
  </div>
);

/** The body that would repeat the search of a task. */
const bodyOf = (task: AnyTask): SearchBody => {
  const names = [
    'keyword',
    'location_name',
    'iso_code',
    'language_code',
    'device',
    'domain',
    'engine_domain',
    'depth',
  ];
  const fields = new Map(Object.entries(task));
  return Object.fromEntries(names.map((name) => [name, fields.get(name)]).filter(([, value]) => value));
};

export const Playground = ({ query }: { query: URLSearchParams }) => {
  const id = query.get('task');
  const api: Api = query.get('api') === 'v1' ? 'v1' : 'v2';
  const [target, setTarget] = useState<Target>('v2');
  const [body, setBody] = useState<SearchBody>(firstBody);
  const { isBusy: isSending, error, run } = useAction();
  const { data: task, error: loadError } = useLoaded(
    id && `${api}/${id}`,
    (signal) => readTask(api, id ?? '', signal),
    (read) => (isFinal(read) ? null : pollMs(read)),
  );

  useEffect(() => {
    if (!task) return;
    if (isFinal(task)) announce(`The search ended: ${words(task.status)}.`);
  }, [task?.id, task?.status]);

  // A link to a task fills the form, unless the form made the task.
  const [sent, setSent] = useState<number | null>(null);
  useEffect(() => {
    if (!task || task.id === sent) return;
    setSent(task.id);
    setBody(bodyOf(task));
    setTarget(targetOf(api, task.engine_domain));
  }, [task?.id]);

  const submit = () =>
    run(async (isAwaited) => {
      announce('Searching.');
      const made = await call<AnyTask>(pathOf(target), {
        method: 'POST',
        body: bodyFor(target, body),
      });
      setSent(made.id);
      if (isAwaited()) location.hash = hrefOf(['playground'], { task: made.id, api: apiOf(target) });
    });

  const mayWrite = useMayWrite();
  const isRunning = id !== null && task !== null && !isFinal(task);
  const requestTabs = [
    {
      id: 'request',
      title: 'Request',
      content: () => <RequestEditor body={bodyFor(target, body)} onBody={setBody} />,
    },
    {
      id: 'curl',
      title: 'curl',
      content: () => <Code label="Command" text={curlOf(target, body, baseUrl)} />,
    },
    {
      id: 'forms',
      title: 'Clients',
      content: () => <OtherForms target={target} body={bodyFor(target, body)} mayWrite={mayWrite} />,
    },
  ];
  return (
    <>
      <Heading title="Playground" lead="Search, and compare what was read with the page itself." />
      {!mayWrite && <Notice kind="info">This user may only read. It can open searches from Tasks.</Notice>}
      {mayWrite && (
        <SearchForm
          target={target}
          body={body}
          isBusy={isSending || isRunning}
          onTarget={setTarget}
          onBody={setBody}
          onSubmit={submit}
        />
      )}
      {(error ?? loadError) && <Notice kind="error">{error ?? loadError}</Notice>}
      {id === null && (
        <div class="beside">
          <section class="card" aria-label="Request">
            <h2>The same as a command</h2>
            <Code label="Command" text={curlOf(target, body, baseUrl)} />
          </section>
          <Empty title="No search yet.">
            {mayWrite
              ? 'Press Search. The results, their JSON and the stored page then appear side by side.'
              : 'Open one of the tasks.'}
          </Empty>
        </div>
      )}
      {id !== null && !task && !loadError && <Waiting what="the task" />}
      {task && (
        <>
          <Summary task={task} api={api} />
          {task.error_message && <Notice kind="error">{task.error_message}</Notice>}
          {task.warnings.map((warning) => (
            <Notice kind="info" key={warning}>
              {warning}
            </Notice>
          ))}
          <ResultView key={task.id} task={task} query={query} tabs={requestTabs} />
        </>
      )}
    </>
  );
};
