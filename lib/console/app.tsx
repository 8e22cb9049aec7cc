/** The frame of the console: sign-in, navigation, and the view of the address. */
import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { type Address, hrefOf } from './address.ts';
import { useAddress, useAnnouncement, useLoaded } from './hooks.ts';
import { focusNextView, Heading } from './parts/heading.tsx';
import { Icon, type IconName } from './parts/icon.tsx';
import { Empty } from './parts/notice.tsx';
import { call, forgetKey, keepKey, onRefusal, readKey, urlOf } from './session.ts';
import { Deliveries } from './views/deliveries.tsx';
import { Health } from './views/health.tsx';
import { Keyword } from './views/keyword.tsx';
import { Playground } from './views/playground.tsx';
import { Project } from './views/project.tsx';
import { Projects } from './views/projects.tsx';
import { SignIn } from './views/sign-in.tsx';
import { Spend } from './views/spend.tsx';
import { Task } from './views/task.tsx';
import { Tasks } from './views/tasks.tsx';

const places: { name: IconName; title: string }[] = [
  { name: 'playground', title: 'Playground' },
  { name: 'projects', title: 'Projects' },
  { name: 'tasks', title: 'Tasks' },
  { name: 'deliveries', title: 'Deliveries' },
  { name: 'health', title: 'Health' },
  { name: 'spend', title: 'Spend' },
];

const NotFound = () => (
  <>
    <Heading title="Not found" />
    <Empty title="The console has no such page.">
      <a href={hrefOf(['playground'])}>Open the playground</a>
    </Empty>
  </>
);

const apiOf = (text: string | undefined): 'v1' | 'v2' | null =>
  text === 'v1' || text === 'v2' ? text : null;

const viewOf = ({ path, query }: Address): ComponentChildren => {
  const [place, first, second, third] = path;
  const api = apiOf(first);
  if (place === 'playground' || place === undefined) return <Playground query={query} />;
  if (place === 'tasks' && !first) return <Tasks query={query} />;
  if (place === 'tasks' && api && second) return <Task key={second} api={api} id={second} query={query} />;
  if (place === 'deliveries' && !first) return <Deliveries query={query} />;
  if (place === 'projects' && !first) return <Projects query={query} />;
  if (place === 'projects' && first && !second) return <Project key={first} id={first} query={query} />;
  if (place === 'projects' && first && second === 'keywords' && third) {
    return <Keyword key={third} projectId={first} id={third} query={query} />;
  }
  if (place === 'health' && !first) return <Health />;
  if (place === 'spend' && !first) return <Spend />;
  return <NotFound />;
};

type Root = { search_source: 'sandbox' | 'live'; notice: string };

const Shell = ({ signOut }: { signOut: () => void }) => {
  const address = useAddress();
  const main = useRef<HTMLElement>(null);
  const { data: root } = useLoaded('root', (signal) => call<Root>('', { signal }));
  const present = address.path[0] ?? 'playground';
  return (
    <div class="shell">
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to content
      </button>
      <header class="side">
        <a class="brand" href={hrefOf(['playground'])}>
          <img src={urlOf('console/icon.svg')} alt="Search ranking" width="28" height="28" />
          <span aria-hidden="true">Search ranking</span>
        </a>
        <nav aria-label="Main">
          <ul>
            {places.map(({ name, title }) => (
              <li key={name}>
                <a href={hrefOf([name])} aria-current={present === name ? 'page' : undefined}>
                  <Icon name={name} />
                  <span>{title}</span>
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div class="side-end">
          {root?.search_source === 'sandbox' && (
            <span class="tag calm" title={root.notice}>
              Sandbox
            </span>
          )}
          <a href={urlOf('docs')}>API reference</a>
          <button type="button" class="link" onClick={signOut}>
            Sign out
          </button>
        </div>
      </header>
      <main ref={main} tabIndex={-1}>
        {viewOf(address)}
      </main>
    </div>
  );
};

export const App = () => {
  const [key, setKey] = useState(readKey());
  const [reason, setReason] = useState<string | null>(null);
  const announcement = useAnnouncement();
  const signOut = useCallback((why: string | null) => {
    forgetKey();
    setKey(null);
    setReason(why);
  }, []);
  useEffect(() => onRefusal(() => signOut('Your key no longer works. Sign in again.')), [signOut]);
  const signIn = (given: string) => {
    keepKey(given);
    focusNextView();
    setReason(null);
    setKey(given);
  };
  return (
    <>
      {key === null ? <SignIn reason={reason} signIn={signIn} /> : <Shell signOut={() => signOut(null)} />}
      <div class="unseen" role="status" aria-live="polite">
        {announcement}
      </div>
    </>
  );
};
