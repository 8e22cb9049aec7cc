/** The tags of a keyword: in a list they lead to the keywords that share them, and each can be edited. */
import { useRef, useState } from 'preact/hooks';
import type { ChangedKeywords } from '../../model/keyword-selection.ts';
import type { ManagedKeyword } from '../../model/managed-keyword.ts';
import type { TagList } from '../../model/visibility.ts';
import { hrefOf, hrefWith } from '../address.ts';
import { announce, useAction, useLoaded } from '../hooks.ts';
import { call } from '../session.ts';
import { tagsOf } from '../text-list.ts';
import { useMayWrite } from '../user.tsx';
import { TextField } from './field.tsx';
import { Notice } from './notice.tsx';

/** The first tag as a link to the same list with a filter, and how many others there are. */
export const TagLinks = ({ tags: [tag, ...others] }: { tags: readonly string[] }) => {
  if (tag === undefined) return <span class="dim">–</span>;
  return (
    <span class="features">
      <a
        class="kind one-line"
        href={hrefWith({ tag, cursor: undefined, page: undefined })}
        title={`Only keywords with the tag ${tag}`}
      >
        {tag}
      </a>
      {others.length > 0 && <span class="kind" title={others.join(', ')}>{`+${others.length}`}</span>}
    </span>
  );
};

/** The tags of the keywords of a project, as options of a filter. `asked`: the tag in the address. */
export const useTagOptions = (projectId: string, asked: string) => {
  const { data } = useLoaded(`tags/${projectId}`, (signal) =>
    call<TagList>(`api/v1/projects/${projectId}/tags`, { signal }),
  );
  const tags = (data?.data ?? []).flatMap(({ tag, all }) => (tag === null ? [] : [{ tag, all }]));
  const known = tags.find(({ tag }) => tag.toLowerCase() === asked.toLowerCase());
  return {
    chosen: known?.tag ?? asked,
    options: [
      ['', 'All tags'] as const,
      ...(asked !== '' && !known ? [[asked, asked] as const] : []),
      ...tags.map(({ tag, all }) => [tag, `${tag} (${all})`] as const),
    ],
  };
};

type EditorProps = { keyword: ManagedKeyword; changed: () => void };

export const TagEditor = ({ keyword, changed }: EditorProps) => {
  const { project_id, keyword_id, tags } = keyword;
  const [text, setText] = useState('');
  const { isBusy, error, run } = useAction();
  const mayWrite = useMayWrite();
  const form = useRef<HTMLFormElement>(null);
  // By differences, because another person may change the tags at the same time.
  const change = (changes: object, message: string) =>
    run(async () => {
      const body = { keyword_ids: [keyword_id], ...changes };
      const path = `api/v1/projects/${project_id}/keywords`;
      const { full } = await call<ChangedKeywords>(path, { method: 'PATCH', body });
      if (full.length > 0) throw new Error('A keyword has at most 50 tags.');
      if ('add_tags' in changes) setText((now) => (now === text ? '' : now));
      else form.current?.querySelector('input')?.focus();
      announce(message);
      changed();
    });
  if (!mayWrite && tags.length === 0) return null;
  return (
    <form
      ref={form}
      class="card"
      aria-label="Tags"
      onSubmit={(event) => {
        event.preventDefault();
        if (tagsOf(text).length > 0) change({ add_tags: tagsOf(text) }, 'The tags were added.');
      }}
    >
      <h2>Tags</h2>
      {error && <Notice kind="error">{error}</Notice>}
      {tags.length === 0 && <p class="dim">The keyword has no tags.</p>}
      <ul class="tag-editor">
        {tags.map((tag) => (
          <li key={tag} class="kind">
            <a href={hrefOf(['projects', project_id], { tab: 'keywords', tag })}>{tag}</a>
            {mayWrite && (
              <button
                type="button"
                class="link"
                aria-label={`Remove the tag ${tag}`}
                disabled={isBusy}
                onClick={() => change({ remove_tags: [tag] }, `The tag ${tag} was removed.`)}
              >
                ×
              </button>
            )}
          </li>
        ))}
      </ul>
      {mayWrite && (
        <div class="fields">
          <TextField label="New tags, separated by commas" value={text} onText={setText} />
          <button type="submit" disabled={isBusy || tagsOf(text).length === 0}>
            Add
          </button>
        </div>
      )}
    </form>
  );
};
