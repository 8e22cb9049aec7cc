/** What a person may change in a project, and its deletion. */
import { useContext, useState } from 'preact/hooks';
import type { ManagedProject } from '../../model/project.ts';
import { hrefOf } from '../address.ts';
import { changedFields } from '../changed-fields.ts';
import { announce, useAction } from '../hooks.ts';
import { forgetViews } from '../saved-views.ts';
import { call } from '../session.ts';
import { listOf } from '../text-list.ts';
import { UserContext } from '../user.tsx';
import { ConfirmButton } from './confirm.tsx';
import { TextField } from './field.tsx';
import { HoursField } from './hours-field.tsx';
import { Notice } from './notice.tsx';
import { ReportLinkForm } from './report-link.tsx';

/** The fields of the form. */
const fieldsOf = ({ name, domain, competitors, check_frequency }: ManagedProject) => ({
  name,
  domain,
  competitors,
  check_frequency,
});

type Props = { project: ManagedProject; changed: () => void };

export const ProjectSettings = ({ project, changed }: Props) => {
  const path = `api/v1/projects/${project.project_id}`;
  const user = useContext(UserContext);
  const [opened, setOpened] = useState(fieldsOf(project));
  const [name, setName] = useState(project.name);
  const [domain, setDomain] = useState(project.domain);
  const [competitors, setCompetitors] = useState(project.competitors.join(', '));
  const [hours, setHours] = useState(String(project.check_frequency));
  const { isBusy, error, run } = useAction();
  const save = (event: Event) => {
    event.preventDefault();
    run(async () => {
      const present = {
        name: name.trim(),
        domain,
        competitors: listOf(competitors),
        check_frequency: Number(hours),
      };
      // Another person, or the same one in another tab, may have changed the other fields.
      const body = changedFields(opened, present);
      await call(path, { method: 'PATCH', body });
      setOpened(present);
      announce('The project was saved.');
      changed();
    });
  };
  return (
    <>
      <form class="card" aria-label="Project" onSubmit={save}>
        <h2>Project</h2>
        {error && <Notice kind="error">{error}</Notice>}
        <div class="fields">
          <TextField label="Name" value={name} onText={setName} isRequired />
          <TextField
            label="Domain"
            value={domain}
            onText={setDomain}
            isRequired
            isWord
            hint="For keywords that are added later"
          />
          <TextField
            class="wide"
            label="Competitors"
            value={competitors}
            onText={setCompetitors}
            hint="Separated by commas. New ones are compared from the next crawl on"
          />
          <HoursField value={hours} onText={setHours} hint="For later keywords" />
        </div>
        <button type="submit" class="primary" disabled={isBusy}>
          Save
        </button>
      </form>
      <ReportLinkForm path={path} />
      <section class="card" aria-label="Delete the project">
        <h2>Delete the project</h2>
        <p class="dim">
          The project is deleted with its keywords and their history. Nothing brings them back.
        </p>
        <ConfirmButton
          text="Delete the project"
          question={`Delete “${project.name}” with all its keywords and their history?`}
          run={async (isAwaited) => {
            await call(path, { method: 'DELETE' });
            forgetViews(user?.id ?? 0, String(project.project_id));
            announce('The project was deleted.');
            if (isAwaited()) location.hash = hrefOf(['projects']);
          }}
        />
      </section>
    </>
  );
};
