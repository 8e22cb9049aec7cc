/** What a person does with the chosen keywords of a list: crawl now, pause, schedule, tags, deletion. */
import { useState } from 'preact/hooks';
import type { ChangedKeywords } from '../../model/keyword-selection.ts';
import { count } from '../format.ts';
import { announce, useAction } from '../hooks.ts';
import { call } from '../session.ts';
import { tagsOf } from '../text-list.ts';
import { ConfirmButton } from './confirm.tsx';
import { CrawlNowButton } from './crawl-now.tsx';
import { TextField } from './field.tsx';
import { HoursField } from './hours-field.tsx';
import { Notice } from './notice.tsx';

const keywordsText = (number: number): string => `${count(number)} ${number === 1 ? 'keyword' : 'keywords'}`;

const changedText = ({ changed, full, left }: ChangedKeywords): string =>
  [
    `Changed: ${keywordsText(changed)}.`,
    ...(full.length > 0 ? [`${keywordsText(full.length)} would have more than 50 tags.`] : []),
    ...(left.length > 0 ? [`Not yet: ${keywordsText(left.length)}. Do it again.`] : []),
  ].join(' ');

type Props = { projectId: string; ids: readonly number[]; done: () => void; reload: () => void };

export const BulkEdit = ({ projectId, ids, done, reload }: Props) => {
  const path = `api/v1/projects/${projectId}`;
  const [hours, setHours] = useState('');
  const [tags, setTags] = useState('');
  const [message, setMessage] = useState<string | null>(null);
  const { isBusy, error, run } = useAction();
  const tell = (text: string) => {
    setMessage(text);
    announce(text);
    done();
  };
  const change = (changes: object) =>
    run(async () => {
      const body = { keyword_ids: ids, ...changes };
      tell(changedText(await call<ChangedKeywords>(`${path}/keywords`, { method: 'PATCH', body })));
    });
  if (ids.length === 0) return message ? <Notice kind="info">{message}</Notice> : null;
  return (
    <section class="card bulk" aria-label="Chosen keywords">
      <h2>{`${keywordsText(ids.length)} chosen`}</h2>
      {error && <Notice kind="error">{error}</Notice>}
      {message && <Notice kind="info">{message}</Notice>}
      <div class="actions">
        <CrawlNowButton key={ids.join()} projectId={projectId} ids={ids} done={reload} />
        <button type="button" disabled={isBusy} onClick={() => change({ paused: true })}>
          Pause
        </button>
        <button type="button" disabled={isBusy} onClick={() => change({ paused: false })}>
          Continue
        </button>
      </div>
      <div class="fields">
        <HoursField value={hours} onText={setHours} />
        <button
          type="button"
          disabled={isBusy || hours === ''}
          onClick={() => change({ update_frequency: Number(hours) })}
        >
          Set the hours
        </button>
        <TextField label="Tags, separated by commas" value={tags} onText={setTags} />
        <button
          type="button"
          disabled={isBusy || tagsOf(tags).length === 0}
          onClick={() => change({ add_tags: tagsOf(tags) })}
        >
          Add the tags
        </button>
        <button
          type="button"
          disabled={isBusy || tagsOf(tags).length === 0}
          onClick={() => change({ remove_tags: tagsOf(tags) })}
        >
          Remove the tags
        </button>
      </div>
      <ConfirmButton
        text="Delete the chosen keywords"
        question={`Delete ${keywordsText(ids.length)} with their history?`}
        run={async () => {
          const body = { keyword_ids: ids };
          const deleted = await call<ChangedKeywords>(`${path}/keywords/delete`, { method: 'POST', body });
          tell(`Deleted: ${keywordsText(deleted.changed)}.`);
        }}
      />
    </section>
  );
};
