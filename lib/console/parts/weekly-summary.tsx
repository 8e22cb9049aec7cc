/** The summary of the week of a project, which can also be saved for a report. */
import { useLoaded } from '../hooks.ts';
import { callText } from '../session.ts';
import { ExportButton } from './export.tsx';
import { Markdown } from './lazy.tsx';
import { LoadState } from './notice.tsx';

export const WeeklySummary = ({ id }: { id: string }) => {
  const path = `api/v1/projects/${id}/summary`;
  const summary = useLoaded(`summary/${id}`, (signal) => callText(path, { signal }));
  return (
    <>
      <div class="above-table">
        <p class="dim">What happened in the last seven days.</p>
        <ExportButton text="Save as Markdown" path={path} type="text/markdown" name={`week-${id}.md`} />
      </div>
      <LoadState loaded={summary} what="the summary" />
      {summary.data !== null && (
        <section class="card" aria-label="Weekly summary">
          <Markdown text={summary.data} />
        </section>
      )}
    </>
  );
};
