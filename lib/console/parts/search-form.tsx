/** The form of a search. */
import { isTarget, type SearchBody, type Target, targets, withField } from '../search.ts';
import { CheckField, SelectField, TextField } from './field.tsx';
import { PlaceField } from './place-field.tsx';

const textIn = (body: SearchBody, name: string): string => {
  const value = body[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};

type FormProps = {
  target: Target;
  body: SearchBody;
  isBusy: boolean;
  onTarget: (target: Target) => void;
  onBody: (body: SearchBody) => void;
  onSubmit: () => void;
};

export const SearchForm = ({ target, body, isBusy, onTarget, onBody, onSubmit }: FormProps) => {
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
        <PlaceField
          value={textIn(body, 'location_name')}
          onPlace={(name, iso_code) => {
            const changed = withField(body, 'location_name', name);
            onBody(iso_code ? { ...changed, iso_code } : changed);
          }}
          isRequired
        />
        <TextField
          class="narrow"
          label="Country code"
          value={textIn(body, 'iso_code')}
          onText={set('iso_code')}
          maxLength={2}
          isRequired
          isWord
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
            isWord
          />
          <TextField
            label="Engine domain"
            value={textIn(body, 'engine_domain')}
            onText={set('engine_domain')}
            isWord
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
          <TextField label="Domain to track" value={textIn(body, 'domain')} onText={set('domain')} isWord />
          <TextField
            label="Webhook URL"
            value={textIn(body, 'postback_url')}
            onText={set('postback_url')}
            isWord
          />
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
