/** The view in which a person tries a search: the form, the request, the result and the stored page side by side. */
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { LocationList } from '../../model/place.ts';
import { hrefOf } from '../address.ts';
import { ago, words } from '../format.ts';
import { announce, messageOf, useLoaded, useSettled } from '../hooks.ts';
import { Code } from '../parts/code.tsx';
import { CheckField, SelectField, TextField } from '../parts/field.tsx';
import { Heading } from '../parts/heading.tsx';
import { Empty, Notice, Waiting } from '../parts/notice.tsx';
import { ResultView } from '../parts/result-view.tsx';
import { Tag } from '../parts/tag.tsx';
import {
  apiOf,
  bodyFor,
  curlOf,
  firstBody,
  isTarget,
  pathOf,
  type SearchBody,
  type Target,
  targetOf,
  targets,
  withField,
} from '../search.ts';
import { baseUrl, call } from '../session.ts';
import { type AnyTask, type Api, isFinal, pollMs, readTask } from '../task.ts';

const textIn = (body: SearchBody, name: string): string => {
  const value = body[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};

const LocationField = ({ body, onBody }: { body: SearchBody; onBody: (body: SearchBody) => void }) => {
  const list = useId();
  const text = textIn(body, 'location_name');
  const query = useSettled(text);
  const { data } = useLoaded(query.trim().length > 1 ? `places/${query}` : null, (signal) =>
    call<LocationList>(`api/v1/common/locations?q=${encodeURIComponent(query.trim())}`, { signal }),
  );
  const places = data?.items ?? [];
  const choose = (name: string) => {
    const place = places.find((each) => each.name === name);
    const changed = withField(body, 'location_name', name);
    onBody(place ? { ...changed, iso_code: place.iso_code } : changed);
  };
  return (
    <>
      <TextField label="Place" value={text} onText={choose} list={list} isRequired />
      <datalist id={list}>
        {places.map(({ name, kind }) => (
          <option key={name} value={name}>
            {kind}
          </option>
        ))}
      </datalist>
    </>
  );
};

type FormProps = {
  target: Target;
  body: SearchBody;
  isBusy: boolean;
  onTarget: (target: Target) => void;
  onBody: (body: SearchBody) => void;
  onSubmit: () => void;
};

const SearchForm = ({ target, body, isBusy, onTarget, onBody, onSubmit }: FormProps) => {
  const set = (name: string) => (value: string) => onBody(withField(body, name, value));
  const setNumber = (name: string) => (value: string) =>
    onBody(withField(body, name, value === '' ? '' : Number(value)));
  return (
    <form
      class="card search-form"
      aria-label="Search"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <div class="fields">
        <TextField
          class="wide"
          label="Keyword"
          value={textIn(body, 'keyword')}
          onText={set('keyword')}
          isRequired
        />
        <SelectField
          label="Engine"
          value={target}
          options={targets}
          onChoice={(name) => isTarget(name) && onTarget(name)}
        />
        <LocationField body={body} onBody={onBody} />
        <TextField
          class="narrow"
          label="Country code"
          value={textIn(body, 'iso_code')}
          onText={set('iso_code')}
          maxLength={2}
          isRequired
        />
        <SelectField
          class="narrow"
          label="Device"
          value={textIn(body, 'device') || 'desktop'}
          options={[
            ['desktop', 'Desktop'],
            ['mobile', 'Mobile'],
          ]}
          onChoice={set('device')}
        />
        <button type="submit" class="primary" disabled={isBusy}>
          {isBusy ? 'Searching…' : 'Search'}
        </button>
      </div>
      <details>
        <summary>More options</summary>
        <div class="fields">
          <TextField
            label="Language code"
            value={textIn(body, 'language_code')}
            onText={set('language_code')}
          />
          <TextField
            label="Engine domain"
            value={textIn(body, 'engine_domain')}
            onText={set('engine_domain')}
          />
          {target === 'v2' && (
            <TextField
              class="narrow"
              label="Depth"
              type="number"
              min={1}
              max={100}
              value={textIn(body, 'depth')}
              onText={setNumber('depth')}
            />
          )}
          <TextField label="Domain to track" value={textIn(body, 'domain')} onText={set('domain')} />
          <TextField label="Webhook URL" value={textIn(body, 'postback_url')} onText={set('postback_url')} />
        </div>
        <CheckField
          label="Always ask the engine (frequency 0)"
          isChecked={body.frequency === 0}
          onCheck={(isChecked) => onBody(withField(body, 'frequency', isChecked ? 0 : ''))}
        />
      </details>
    </form>
  );
};

/** The request as JSON, which can be edited. Text that is not an object changes nothing. */
const RequestEditor = ({ body, onBody }: { body: SearchBody; onBody: (body: SearchBody) => void }) => {
  const id = useId();
  const [text, setText] = useState(JSON.stringify(body, null, 2));
  const [error, setError] = useState<string | null>(null);
  const known = useRef(JSON.stringify(body));
  // The form has changed.
  useEffect(() => {
    if (JSON.stringify(body) === known.current) return;
    known.current = JSON.stringify(body);
    setText(JSON.stringify(body, null, 2));
    setError(null);
  }, [body]);
  const edit = (changed: string) => {
    setText(changed);
    try {
      const parsed: unknown = JSON.parse(changed);
      if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
        throw new Error('The request is an object.');
      setError(null);
      known.current = JSON.stringify(parsed);
      onBody({ ...parsed });
    } catch (failure) {
      setError(messageOf(failure));
    }
  };
  return (
    <div class="editor">
      <label for={id}>Body of the request. The form follows it.</label>
      <textarea
        id={id}
        rows={14}
        spellcheck={false}
        value={text}
        aria-invalid={error !== null}
        aria-describedby={error ? `${id}-error` : undefined}
        onInput={(event) => edit(event.currentTarget.value)}
      />
      {error && (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
};

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
  const [isSending, setIsSending] = useState(false);
  const [error, setError] = useState<string | null>(null);
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

  const submit = async () => {
    setError(null);
    setIsSending(true);
    announce('Searching.');
    try {
      const made = await call<AnyTask>(pathOf(target), {
        method: 'POST',
        body: bodyFor(target, body),
      });
      setSent(made.id);
      location.hash = hrefOf(['playground'], { task: made.id, api: apiOf(target) });
    } catch (failure) {
      setError(messageOf(failure));
    } finally {
      setIsSending(false);
    }
  };

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
  ];
  return (
    <>
      <Heading title="Playground" lead="Search, and compare what was read with the page itself." />
      <SearchForm
        target={target}
        body={body}
        isBusy={isSending || isRunning}
        onTarget={setTarget}
        onBody={setBody}
        onSubmit={submit}
      />
      {(error ?? loadError) && <Notice kind="error">{error ?? loadError}</Notice>}
      {id === null && (
        <div class="beside">
          <section class="card" aria-label="Request">
            <h2>The same as a command</h2>
            <Code label="Command" text={curlOf(target, body, baseUrl)} />
          </section>
          <Empty title="No search yet.">
            Press Search. The results, their JSON and the stored page then appear side by side.
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
          <ResultView key={task.id} task={task} tabs={requestTabs} />
        </>
      )}
    </>
  );
};
