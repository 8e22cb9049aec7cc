/** The form of the rule of alerts of a project: which changes are sent, once a day, and to whom. */
import { useState } from 'preact/hooks';
import type { ManagedProject } from '../../model/project.ts';
import { maxAlertAddresses } from '../../model/request-limits.ts';
import type { WebhookTestResult } from '../../model/webhook-test.ts';
import { changedFields } from '../changed-fields.ts';
import { count } from '../format.ts';
import { announce, messageOf, useAction } from '../hooks.ts';
import { call } from '../session.ts';
import { listOf } from '../text-list.ts';
import { CheckField, SelectField, TextField } from './field.tsx';
import { Notice } from './notice.tsx';

const boundaries = [3, 10, 100] as const;

const directions = [
  ['all', 'Drops and rises'],
  ['drops', 'Drops only'],
  ['rises', 'Rises only'],
] as const;

const formats = [
  ['standard', 'Signed JSON'],
  ['slack', 'Slack'],
  ['teams', 'Microsoft Teams'],
] as const;

type Rule = NonNullable<ManagedProject['alerts']>;

const newRule: Rule = {
  postback_url: null,
  email: [],
  weekly_summary: false,
  moved_by: 5,
  boundaries: [3, 10],
  lost_first_to: [],
  citations: false,
  direction: 'all',
  tag: null,
  format: 'standard',
};

/** What became of a sample. `address`: of the mail; absent: a webhook. */
const resultText = (
  { delivered, status, milliseconds, error }: WebhookTestResult,
  address?: string,
): string => {
  if (!delivered) return `The sample to ${address ?? 'the webhook'} was not delivered: ${error ?? status}`;
  return address
    ? `A sample was sent to ${address}.`
    : `The receiver answered the sample with ${status} after ${count(milliseconds)} ms.`;
};

type Props = { project: ManagedProject; changed: () => void };

export const AlertRuleForm = ({ project: { project_id, alerts }, changed }: Props) => {
  const [rule, setRule] = useState<Rule>(alerts ?? newRule);
  const [rivals, setRivals] = useState((alerts?.lost_first_to ?? []).join(', '));
  const [addresses, setAddresses] = useState((alerts?.email ?? []).join(', '));
  const [result, setResult] = useState<string | null>(null);
  const { isBusy, error, run } = useAction();
  const set = (changes: Partial<Rule>) => setRule({ ...rule, ...changes });
  const [opened, setOpened] = useState(alerts);
  const path = `api/v1/projects/${project_id}`;
  const save = () =>
    run(async () => {
      const typed: Rule = { ...rule, lost_first_to: listOf(rivals), email: listOf(addresses) };
      // The service takes a rule as a whole, and another tab or person may have changed the rest of it.
      const { alerts: present } = await call<ManagedProject>(path);
      const saved: Rule = present && opened ? { ...present, ...changedFields(opened, typed) } : typed;
      await call(path, { method: 'PATCH', body: { alerts: saved } });
      setOpened(saved);
      // What was typed meanwhile stays.
      setRule((now) => ({ ...saved, ...changedFields(rule, now) }));
      setRivals((now) => (now === rivals ? saved.lost_first_to.join(', ') : now));
      setAddresses((now) => (now === addresses ? saved.email.join(', ') : now));
      announce('The rule was saved.');
      changed();
    });
  const end = () =>
    run(async () => {
      await call(path, { method: 'PATCH', body: { alerts: null } });
      setOpened(null);
      setRule(newRule);
      setAddresses('');
      setRivals('');
      announce('No alerts are sent any more.');
      changed();
    });
  const test = () =>
    run(async () => {
      const ask = (body: object, address?: string): Promise<string> =>
        call<WebhookTestResult>('api/v1/webhooks/test', {
          method: 'POST',
          body: { ...body, type: 'alert' },
        }).then(
          (result) => resultText(result, address),
          (fault: unknown) => `No sample was sent to ${address ?? 'the webhook'}: ${messageOf(fault)}`,
        );
      const { postback_url, format } = rule;
      const said = postback_url === null ? [] : [await ask({ postback_url, format })];
      const receivers = listOf(addresses);
      for (const email of receivers.slice(0, maxAlertAddresses)) said.push(await ask({ email }, email));
      if (receivers.length > maxAlertAddresses)
        said.push(`A rule has at most ${maxAlertAddresses} addresses: the others got no sample.`);
      setResult(said.join(' '));
      announce(said.join(' '));
    });
  return (
    <form
      class="card"
      aria-label="Rule of alerts"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <h2>Rule</h2>
      <p class="dim">
        {alerts
          ? 'Once a day, the changes since the day before are sent to these addresses.'
          : 'No alerts are sent. A rule sends the changes of a day to a webhook, by e-mail, or both.'}
      </p>
      {error && <Notice kind="error">{error}</Notice>}
      <div class="fields">
        <TextField
          class="wide"
          label="Address of the webhook"
          value={rule.postback_url ?? ''}
          onText={(url) => set({ postback_url: url === '' ? null : url })}
          isWord
          hint="Empty: no webhook"
        />
        <TextField
          class="wide"
          label="E-mail addresses"
          value={addresses}
          onText={setAddresses}
          hint="At most 3, separated by commas: yours, and those that the operator allows"
        />
        <SelectField
          label="Message for"
          value={rule.format}
          options={formats}
          onChoice={(chosen) => set({ format: formats.find(([each]) => each === chosen)?.[0] ?? 'standard' })}
        />
        <TextField
          class="narrow"
          label="Moved by, places"
          type="number"
          min={0}
          max={100}
          value={String(rule.moved_by)}
          onText={(text) => set({ moved_by: Number(text) })}
          hint="0: do not report"
        />
        <SelectField
          label="Changes"
          value={rule.direction}
          options={directions}
          onChoice={(chosen) =>
            set({ direction: directions.find(([each]) => each === chosen)?.[0] ?? 'all' })
          }
        />
        <TextField
          label="Lost the first place to"
          value={rivals}
          onText={setRivals}
          hint="Competitors, separated by commas"
        />
        <TextField
          label="Only keywords with the tag"
          value={rule.tag ?? ''}
          onText={(tag) => set({ tag: tag.trim() === '' ? null : tag })}
          hint="Empty: all keywords"
        />
      </div>
      <fieldset class="checks">
        <legend class="label">Entered or left</legend>
        {boundaries.map((boundary) => (
          <CheckField
            key={boundary}
            label={`the first ${boundary}`}
            isChecked={rule.boundaries.includes(boundary)}
            onCheck={(isChecked) =>
              set({
                boundaries: boundaries.filter((each) =>
                  each === boundary ? isChecked : rule.boundaries.includes(each),
                ),
              })
            }
          />
        ))}
        <CheckField
          label="the sources of an AI overview"
          isChecked={rule.citations}
          onCheck={(citations) => set({ citations })}
        />
      </fieldset>
      <CheckField
        label="Send the summary of each week by e-mail, too"
        isChecked={rule.weekly_summary}
        onCheck={(weekly_summary) => set({ weekly_summary })}
      />
      <div class="actions">
        <button type="submit" class="primary" disabled={isBusy}>
          Save
        </button>
        <button
          type="button"
          disabled={isBusy || (rule.postback_url === null && listOf(addresses).length === 0)}
          onClick={test}
        >
          Send a sample
        </button>
        {alerts && (
          <button type="button" class="danger" disabled={isBusy} onClick={end}>
            End the alerts
          </button>
        )}
      </div>
      {result && <Notice kind="info">{result}</Notice>}
    </form>
  );
};
