/** What a person may change in a keyword, and its deletion. */
import { useState } from 'preact/hooks';
import type { ManagedKeyword } from '../../model/managed-keyword.ts';
import { hrefOf } from '../address.ts';
import { announce, useAction } from '../hooks.ts';
import { call } from '../session.ts';
import { ConfirmButton } from './confirm.tsx';
import { HoursField } from './hours-field.tsx';
import { Notice } from './notice.tsx';

type Props = { keyword: ManagedKeyword; changed: () => void };

export const KeywordSettings = ({ keyword, changed }: Props) => {
  const { project_id, keyword_id, paused, update_frequency } = keyword;
  const path = `api/v1/projects/${project_id}/keywords/${keyword_id}`;
  const [hours, setHours] = useState(String(update_frequency));
  const { isBusy, error, run } = useAction();
  const change = (body: object, message: string) =>
    run(async () => {
      await call(path, { method: 'PATCH', body });
      announce(message);
      changed();
    });
  return (
    <form
      class="card"
      aria-label="Schedule of the keyword"
      onSubmit={(event) => {
        event.preventDefault();
        change({ update_frequency: Number(hours) }, 'The schedule was saved.');
      }}
    >
      <h2>Schedule</h2>
      {error && <Notice kind="error">{error}</Notice>}
      <div class="fields">
        <HoursField value={hours} onText={setHours} />
        <button type="submit" disabled={isBusy}>
          Save
        </button>
        <button
          type="button"
          disabled={isBusy}
          onClick={() =>
            change({ paused: !paused }, paused ? 'The keyword continues.' : 'The keyword is paused.')
          }
        >
          {paused ? 'Continue the keyword' : 'Pause the keyword'}
        </button>
      </div>
      <ConfirmButton
        text="Delete the keyword"
        question={`Delete “${keyword.keyword}” with its history?`}
        run={async (isAwaited) => {
          await call(path, { method: 'DELETE' });
          announce('The keyword was deleted.');
          if (isAwaited()) location.hash = hrefOf(['projects', project_id], { tab: 'keywords' });
        }}
      />
    </form>
  );
};
