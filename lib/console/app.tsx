/** The frame of the console: sign-in, navigation, and the view of the address. */
import type { ComponentChildren } from 'preact';
import { useErrorBoundary, useRef } from 'preact/hooks';
import { type Address, hrefOf } from './address.ts';
import { useAddress, useAnnouncement, useLoaded } from './hooks.ts';
import { Heading } from './parts/heading.tsx';
import { Icon, type IconName } from './parts/icon.tsx';
import { Empty, Notice } from './parts/notice.tsx';
import { call, urlOf } from './session.ts';
import { useSession } from './signed-in.ts';
import { UserContext, useMayWrite } from './user.tsx';
import { Deliveries } from './views/deliveries.tsx';
import { Health } from './views/health.tsx';
import { Keyword } from './views/keyword.tsx';
import { Opening } from './views/opening.tsx';
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

/** The view of the address. If it breaks, the navigation stays, and another view can be opened. */
const View = ({ address }: { address: Address }) => {
  const [error] = useErrorBoundary((fault) => reportError(fault));
  if (!error) return <>{viewOf(address)}</>;
  return (
    <>
      <Heading title="This view cannot be shown" />
      <Notice kind="error">The answer of the service is not what this page expects.</Notice>
      <button type="button" onClick={() => location.reload()}>
        Load the page again
      </button>
    </>
  );
};

type Root = { search_source: 'sandbox' | 'live'; notice: string };

const UserNote = () =>
  useMayWrite() ? null : (
    <span class="tag calm" title="This user may look at everything and change nothing.">
      Read-only
    </span>
  );

type ShellProps = {
  signOut: () => void;
  /** Why the last sign-out failed. */
  failure: string | null;
};

const Shell = ({ signOut, failure }: ShellProps) => {
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
          <UserNote />
          <a href={urlOf('docs')}>API reference</a>
          <button type="button" class="link" onClick={signOut}>
            Sign out
          </button>
        </div>
      </header>
      <main ref={main} tabIndex={-1}>
        {failure && <Notice kind="error">{failure}</Notice>}
        {/* Another view begins anew after one that broke. */}
        <View key={address.path.join('/') || 'playground'} address={address} />
      </main>
    </div>
  );
};

export const App = () => {
  const { user, isEnded, reason, failure, wasInConsole, open, signIn, signOut } = useSession();
  const announcement = useAnnouncement();
  return (
    <>
      {user === undefined && <Opening reason={reason} again={open} />}
      {(user === null || isEnded) && <SignIn reason={reason} wasInConsole={wasInConsole} signIn={signIn} />}
      {user && (
        // What a person has typed stays, for the same user, until the next sign-in.
        <div key={user.id} hidden={isEnded}>
          <UserContext.Provider value={user}>
            <Shell signOut={signOut} failure={failure} />
          </UserContext.Provider>
        </div>
      )}
      <div class="unseen" role="status" aria-live="polite">
        {announcement}
      </div>
    </>
  );
};
