/** A form that adds keywords to a project. */
import { useState } from 'preact/hooks';
import { hrefOf } from '../address.ts';
import { engineTitles } from '../engines.ts';
import { count, counted, dollars } from '../format.ts';
import { announce, useAction } from '../hooks.ts';
import { CallError, call } from '../session.ts';
import { SelectField, TextField } from './field.tsx';
import { faultLines } from './line-faults.ts';
import { Notice } from './notice.tsx';
import { PlaceField } from './place-field.tsx';
import { TextArea } from './text-area.tsx';

type Added = { added: number; existing: number; searches_per_day: number; monthly_cost_usd: number };

/** Adds keywords, one a line, after the service has said what they cost. */
export const AddKeywords = ({ id }: { id: string }) => {
  const [text, setText] = useState('');
  const [engine, setEngine] = useState(Object.keys(engineTitles)[0] ?? '');
  const [device, setDevice] = useState('desktop');
  const [place, setPlace] = useState('');
  const [country, setCountry] = useState('US');
  const [language, setLanguage] = useState('en');
  const [answer, setAnswer] = useState<{ body: string; added: Added } | null>(null);
  const { isBusy, error, run } = useAction();
  const lines = text.split('\n').map((line, n) => ({ keyword: line.trim(), line: n + 1 }));
  const keywords = lines.filter(({ keyword }) => keyword !== '');
  const body = keywords.map(({ keyword }) => ({
    keyword,
    engine,
    device,
    location_name: place.trim(),
    iso_code: country,
    language_code: language,
  }));
  // The form may change while the service counts: an estimate is of what was sent.
  const estimate = answer?.body === JSON.stringify(body) ? answer.added : null;
  const send = (isDryRun: boolean) =>
    run(async (isAwaited) => {
      const added = await call<Added>(`api/v1/projects/${id}/keywords?dry_run=${isDryRun}`, {
        method: 'POST',
        body,
      }).catch((error) => {
        if (!(error instanceof CallError) || error.faults.length === 0) throw error;
        const sentences = faultLines(error.faults, body.length, (entry) => keywords[entry]?.line ?? 0);
        throw new Error(sentences.join('\n'));
      });
      if (isDryRun) setAnswer({ body: JSON.stringify(body), added });
      else {
        announce(`${counted(added.added, 'keyword was', 'keywords were')} added.`);
        if (isAwaited()) location.hash = hrefOf(['projects', id], { tab: 'keywords' });
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
      <TextArea label="Keywords, one on each line" rows={8} value={text} onText={setText} />
      <div class="fields">
        <SelectField
          label="Engine"
          value={engine}
          options={Object.entries(engineTitles)}
          onChoice={setEngine}
        />
        <SelectField
          label="Device"
          value={device}
          options={[
            ['desktop', 'Desktop'],
            ['mobile', 'Mobile'],
          ]}
          onChoice={setDevice}
        />
        <PlaceField
          value={place}
          onPlace={(name, iso_code) => {
            setPlace(name);
            if (iso_code) setCountry(iso_code);
          }}
          hint="Empty: the whole country"
        />
        <TextField
          class="narrow"
          label="Country code"
          value={country}
          onText={setCountry}
          maxLength={2}
          isRequired
          isWord
        />
        <TextField class="narrow" label="Language code" value={language} onText={setLanguage} isWord />
        <button type="submit" class="primary" disabled={isBusy || keywords.length === 0}>
          {estimate ? `Add ${counted(estimate.added, 'keyword')}` : 'Estimate the cost'}
        </button>
      </div>
      {estimate && (
        <Notice kind="info">
          {`${counted(estimate.added, 'new keyword')}, ${count(estimate.existing)} already tracked. They cause ${counted(estimate.searches_per_day, 'search', 'searches')} a day, about ${dollars(estimate.monthly_cost_usd)} a month.`}
        </Notice>
      )}
    </form>
  );
};
