/** A project: its keywords, its share of voice against competitors, and a form for more keywords. */
import { useState } from 'preact/hooks';
import type { Visibility } from '../../model/managed-keyword.ts';
import type { ManagedProject } from '../../model/project.ts';
import { hrefOf } from '../address.ts';
import { engineTitles } from '../engines.ts';
import { count, dollars, percent } from '../format.ts';
import { announce, messageOf, useAction, useLoaded } from '../hooks.ts';
import { Chart } from '../parts/chart.tsx';
import { Code } from '../parts/code.tsx';
import { ExportButton } from '../parts/export.tsx';
import { SelectField, TextField } from '../parts/field.tsx';
import { Heading } from '../parts/heading.tsx';
import { KeywordTable } from '../parts/keyword-table.tsx';
import { Empty, LoadState, Notice } from '../parts/notice.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Tag } from '../parts/tag.tsx';
import { TextArea } from '../parts/text-area.tsx';
import { call, callText } from '../session.ts';

const shareColumns: readonly Column[] = [
  ['Domain'],
  ['Share of voice', 'number'],
  ['Ranked', 'number'],
  ['Top 3', 'number'],
  ['Top 10', 'number'],
  ['Average of ranked', 'number'],
  ['Average of all', 'number'],
];

const volumesText = ({ known, unknown, assumed }: Visibility['volumes']): string => {
  if (unknown === 0) return '';
  if (assumed === null) return 'The volume of no keyword is known, so all count alike.';
  return `The volume of ${count(unknown)} of ${count(known + unknown)} keywords is not known: it is taken to be ${count(assumed)}, the median.`;
};

const ShareOfVoice = ({ id }: { id: string }) => {
  const visibility = useLoaded(`visibility/${id}`, (signal) =>
    call<Visibility>(`api/v1/projects/${id}/visibility`, { signal }),
  );
  const { data } = visibility;
  if (!data) return <LoadState loaded={visibility} what="the share of voice" />;
  const measured = data.days.filter(({ shares }) => Object.values(shares).some((share) => share !== null));
  if (measured.length === 0) return <Empty title="No positions in the last 31 days." />;
  return (
    <>
      <p class="dim">
        The part of all expected clicks that a domain gets, by the volume of each keyword and the click rate
        of its position. {volumesText(data.volumes)} In the average of all, not ranked counts as 101.
      </p>
      {measured.length > 1 && (
        <section class="card" aria-label="Share of voice by day">
          <Chart
            label="Share of voice by day. The table below has the newest values."
            times={data.days.map(({ date }) => Date.parse(`${date}T00:00:00Z`) / 1000)}
            series={data.data.slice(0, 6).map(({ domain }) => ({
              name: domain,
              values: data.days.map(({ shares }) => shares[domain] ?? null),
            }))}
            text={percent}
          />
        </section>
      )}
      <Table label="Share of voice of each domain" columns={shareColumns}>
        {data.data.map((row) => (
          <tr key={row.domain}>
            <th scope="row">{row.domain}</th>
            <td class="number" data-label="Share of voice">
              {row.share === null ? '–' : percent(row.share)}
            </td>
            <td class="number" data-label="Ranked">
              {`${count(row.ranked)} of ${count(row.keywords)}`}
            </td>
            <td class="number" data-label="Top 3">
              {count(row.top_3)}
            </td>
            <td class="number" data-label="Top 10">
              {count(row.top_10)}
            </td>
            <td class="number" data-label="Average of ranked">
              {row.average_of_ranked?.toFixed(1) ?? '–'}
            </td>
            <td class="number" data-label="Average of all">
              {row.average_of_all?.toFixed(1) ?? '–'}
            </td>
          </tr>
        ))}
      </Table>
    </>
  );
};

/** The summary of the week, as it can be put into a report. */
const WeeklySummary = ({ id }: { id: string }) => {
  const path = `api/v1/projects/${id}/summary`;
  const summary = useLoaded(`summary/${id}`, (signal) => callText(path, { signal }));
  return (
    <>
      <div class="above-table">
        <p class="dim">What happened in the last seven days, as Markdown.</p>
        <ExportButton text="Save as Markdown" path={path} type="text/markdown" name={`week-${id}.md`} />
      </div>
      <LoadState loaded={summary} what="the summary" />
      {summary.data !== null && (
        <section class="card flush" aria-label="Weekly summary">
          <Code label="Summary" text={summary.data} />
        </section>
      )}
    </>
  );
};

type Added = { added: number; existing: number; searches_per_day: number; monthly_cost_usd: number };

/** Adds keywords, one a line, after the service has said what they cost. */
const AddKeywords = ({ id }: { id: string }) => {
  const [text, setText] = useState('');
  const [engine, setEngine] = useState(Object.keys(engineTitles)[0] ?? '');
  const [device, setDevice] = useState('desktop');
  const [country, setCountry] = useState('US');
  const [language, setLanguage] = useState('en');
  const [estimate, setEstimate] = useState<Added | null>(null);
  const { isBusy, error, run } = useAction();
  const keywords = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const change =
    <Value,>(set: (value: Value) => void) =>
    (value: Value) => {
      setEstimate(null);
      set(value);
    };
  const send = (isDryRun: boolean) =>
    run(async () => {
      const body = keywords.map((keyword) => ({
        keyword,
        engine,
        device,
        iso_code: country,
        language_code: language,
      }));
      const added = await call<Added>(`api/v1/projects/${id}/keywords?dry_run=${isDryRun}`, {
        method: 'POST',
        body,
      });
      if (isDryRun) setEstimate(added);
      else {
        announce(`${count(added.added)} keywords were added.`);
        location.hash = hrefOf(['projects', id]);
      }
    });
  return (
    <form
      class="card"
      aria-label="Add keywords"
      onSubmit={(event) => {
        event.preventDefault();
        send(estimate === null);
      }}
    >
      <h2>Add keywords</h2>
      {error && <Notice kind="error">{error}</Notice>}
      <TextArea label="Keywords, one on each line" rows={8} value={text} onText={change(setText)} />
      <div class="fields">
        <SelectField
          label="Engine"
          value={engine}
          options={Object.entries(engineTitles)}
          onChoice={change(setEngine)}
        />
        <SelectField
          label="Device"
          value={device}
          options={[
            ['desktop', 'Desktop'],
            ['mobile', 'Mobile'],
          ]}
          onChoice={change(setDevice)}
        />
        <TextField
          class="narrow"
          label="Country code"
          value={country}
          onText={change(setCountry)}
          maxLength={2}
          isRequired
        />
        <TextField class="narrow" label="Language code" value={language} onText={change(setLanguage)} />
        <button type="submit" class="primary" disabled={isBusy || keywords.length === 0}>
          {estimate ? `Add ${count(estimate.added)} keywords` : 'Estimate the cost'}
        </button>
      </div>
      {estimate && (
        <Notice kind="info">
          {`${count(estimate.added)} new keywords, ${count(estimate.existing)} already tracked. They cause ${count(estimate.searches_per_day)} searches a day, about ${dollars(estimate.monthly_cost_usd)} a month.`}
        </Notice>
      )}
    </form>
  );
};

const places = [
  ['keywords', 'Keywords'],
  ['share', 'Share of voice'],
  ['week', 'This week'],
  ['add', 'Add'],
] as const;

type Props = { id: string; query: URLSearchParams };

export const Project = ({ id, query }: Props) => {
  const {
    data: project,
    error,
    reload,
  } = useLoaded(`project/${id}`, (signal) => call<ManagedProject>(`api/v1/projects/${id}`, { signal }));
  const [failure, setFailure] = useState<string | null>(null);
  const tab = query.get('tab') ?? 'keywords';
  const pause = async () => {
    try {
      await call(`api/v1/projects/${id}`, { method: 'PATCH', body: { paused: !project?.paused } });
      announce(project?.paused ? 'The project continues.' : 'The project is paused.');
      setFailure(null);
      reload();
    } catch (reason) {
      setFailure(messageOf(reason));
    }
  };
  const trail = [{ text: 'Projects', href: hrefOf(['projects']) }];
  return (
    <>
      <Heading title={project?.name ?? 'Project'} trail={trail} lead={project?.domain ?? ' '}>
        {project?.paused && <Tag state="paused" />}
        {project && (
          <button type="button" onClick={pause}>
            {project.paused ? 'Continue' : 'Pause'}
          </button>
        )}
      </Heading>
      {(error ?? failure) && <Notice kind="error">{error ?? failure}</Notice>}
      {!error && (
        <>
          <nav class="places" aria-label="Project">
            {places.map(([name, title]) => (
              <a
                key={name}
                href={hrefOf(['projects', id], { tab: name === 'keywords' ? undefined : name })}
                aria-current={tab === name ? 'page' : undefined}
              >
                {title}
              </a>
            ))}
          </nav>
          {tab === 'share' && <ShareOfVoice id={id} />}
          {tab === 'week' && <WeeklySummary id={id} />}
          {tab === 'add' && <AddKeywords id={id} />}
          {tab === 'keywords' && <KeywordTable projectId={id} query={query} />}
        </>
      )}
    </>
  );
};
