/** The saved views of the keywords of a project: each is a link, and the present one can be saved. */
import { useContext, useEffect, useState } from 'preact/hooks';
import { hrefOf } from '../address.ts';
import { announce } from '../hooks.ts';
import {
  cleanName,
  keptQuery,
  maxNameLength,
  maxViews,
  type SavedView,
  storageKey,
  viewsIn,
  withView,
} from '../saved-views.ts';
import { UserContext } from '../user.tsx';
import { TextField } from './field.tsx';
import { Notice } from './notice.tsx';

/** The views of this browser, also after another tab has changed them. */
const useViews = (key: string) => {
  const read = (): SavedView[] => {
    try {
      return viewsIn(localStorage.getItem(key));
    } catch {
      return [];
    }
  };
  const [views, setViews] = useState(read);
  useEffect(() => {
    setViews(read());
    const update = () => setViews(read());
    addEventListener('storage', update);
    return () => removeEventListener('storage', update);
  }, [key]);
  /** Returns why nothing was changed; null if it was. */
  const change = (changed: (views: readonly SavedView[]) => SavedView[] | null): string | null => {
    // Another tab may have saved one meanwhile.
    const next = changed(read());
    if (!next) return `There are ${maxViews} views already: remove one first.`;
    try {
      localStorage.setItem(key, JSON.stringify(next));
    } catch {
      return 'This browser does not store views: its storage is full or not allowed.';
    }
    setViews(next);
    return null;
  };
  return { views, change };
};

type Props = { projectId: string; query: URLSearchParams };

export const SavedViews = ({ projectId, query }: Props) => {
  const user = useContext(UserContext);
  const { views, change } = useViews(storageKey(user?.id ?? 0, projectId));
  const [name, setName] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const present = keptQuery(query);
  const now = views.find((view) => view.query === present);
  const save = (event: Event) => {
    event.preventDefault();
    const reason = change((all) => withView(all, name, present));
    setFault(reason);
    announce(reason ?? `The view ${cleanName(name)} is saved.`);
    if (!reason) setName('');
  };
  return (
    <details class="saved-views">
      <summary>
        {now ? `View: ${now.name}` : `Saved views${views.length > 0 ? ` (${views.length})` : ''}`}
      </summary>
      {views.length > 0 && (
        <ul class="views">
          {views.map((view) => (
            <li key={view.name}>
              <a
                class="one-line"
                title={view.name}
                href={hrefOf(['projects', projectId], {
                  tab: 'keywords',
                  ...Object.fromEntries(new URLSearchParams(view.query)),
                })}
                aria-current={view === now ? 'true' : undefined}
              >
                {view.name}
              </a>
              <button
                type="button"
                class="link"
                aria-label={`Remove the view ${view.name}`}
                onClick={() => setFault(change((all) => all.filter((each) => each.name !== view.name)))}
              >
                Remove
              </button>
            </li>
          ))}
        </ul>
      )}
      <form class="filters" onSubmit={save}>
        <TextField label="Name of this view" value={name} onText={setName} maxLength={maxNameLength} />
        <button type="submit" disabled={cleanName(name) === ''}>
          Save view
        </button>
      </form>
      <p class="hint">
        A view is the filter, the order and the columns. It stays in this browser. To share it, send its
        address.
      </p>
      {fault && <Notice kind="error">{fault}</Notice>}
    </details>
  );
};
