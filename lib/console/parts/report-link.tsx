/** Makes a link to the report of a project for a client, and ends such links. */
import { useState } from 'preact/hooks';
import type { ReportLink } from '../../model/report-link.ts';
import { time } from '../format.ts';
import { announce, useAction } from '../hooks.ts';
import { call } from '../session.ts';
import { ConfirmButton } from './confirm.tsx';
import { SelectField } from './field.tsx';
import { Notice } from './notice.tsx';

const durations = [
  ['7', '7 days'],
  ['30', '30 days'],
  ['90', '90 days'],
  ['400', '400 days'],
] as const;

export const ReportLinkForm = ({ path }: { path: string }) => {
  const [days, setDays] = useState('30');
  const [link, setLink] = useState<ReportLink | null>(null);
  const { isBusy, error, run } = useAction();
  const make = async (end_former: boolean): Promise<ReportLink> =>
    call<ReportLink>(`${path}/report-link`, { method: 'POST', body: { days: Number(days), end_former } });
  return (
    <section class="card" aria-label="Report for a client">
      <h2>Report for a client</h2>
      <p class="dim">
        A page with the figures, charts and keywords of the project, without costs, to be read and printed by
        everybody who has the link. It opens nothing else.
      </p>
      {error && <Notice kind="error">{error}</Notice>}
      <div class="fields">
        <SelectField label="The link works for" value={days} options={durations} onChoice={setDays} />
      </div>
      {link && (
        <p class="break">
          <a href={link.report_url} target="_blank" rel="noreferrer">
            {link.report_url}
          </a>{' '}
          <span class="under">until {time(link.expires_at)}</span>
        </p>
      )}
      <div class="actions">
        <button
          type="button"
          disabled={isBusy}
          onClick={() =>
            run(async () => {
              setLink(await make(false));
              announce('The link was made.');
            })
          }
        >
          Make a link
        </button>
        <ConfirmButton
          text="End all links"
          question="End all links to the report that were made so far?"
          run={async () => {
            await make(true);
            setLink(null);
            announce('All links have ended.');
          }}
        />
      </div>
    </section>
  );
};
