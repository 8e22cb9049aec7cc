/** The frame of the console: sign-in, navigation, and the view of the address. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { SessionUser } from '../model/session.ts';
import { type Address, hrefOf } from './address.ts';
import { announce, messageOf, useAddress, useAnnouncement, useLoaded } from './hooks.ts';
import { focusNextView, Heading } from './parts/heading.tsx';
import { Icon, type IconName } from './parts/icon.tsx';
import { Empty } from './parts/notice.tsx';
import { call, endSession, onRefusal, readSession, renewSession, urlOf } from './session.ts';
import { UserContext, useMayWrite } from './user.tsx';
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

const UserNote = () =>
  useMayWrite() ? null : (
    <span class="tag calm" title="This user may look at everything and change nothing.">
      Read-only
    </span>
  );

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
          <UserNote />
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

/** How often the session is made longer, in milliseconds. Its cookie is kept for an hour. */
const renewalMs = 10 * 60_000;

/** Makes the session longer while the page is in sight, and when it comes back into sight. */
const useRenewal = (isSignedIn: boolean) => {
  useEffect(() => {
    if (!isSignedIn) return;
    let last = Date.now();
    const renew = () => {
      if (document.hidden || Date.now() - last < renewalMs) return;
      last = Date.now();
      renewSession();
    };
    const timer = setInterval(renew, renewalMs);
    document.addEventListener('visibilitychange', renew);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', renew);
    };
  }, [isSignedIn]);
};

/** The user who is signed in. Undefined while that is not known; null: none. */
const useSession = () => {
  const [user, setUser] = useState<SessionUser | null | undefined>(undefined);
  const [reason, setReason] = useState<string | null>(null);
  useEffect(() => {
    readSession().then(setUser, (error) => {
      setReason(messageOf(error));
      setUser(null);
    });
    onRefusal(() => {
      setReason('Your session has ended. Sign in again.');
      setUser(null);
    });
  }, []);
  const signIn = (found: SessionUser) => {
    focusNextView();
    setReason(null);
    setUser(found);
  };
  const signOut = () => {
    endSession().then(
      () => setUser(null),
      (error) => announce(messageOf(error)),
    );
  };
  return { user, reason, signIn, signOut };
};

export const App = () => {
  const { user, reason, signIn, signOut } = useSession();
  const announcement = useAnnouncement();
  useRenewal(Boolean(user));
  return (
    <>
      {user === null && <SignIn reason={reason} signIn={signIn} />}
      {user && (
        <UserContext.Provider value={user}>
          <Shell signOut={signOut} />
        </UserContext.Provider>
      )}
      <div class="unseen" role="status" aria-live="polite">
        {announcement}
      </div>
    </>
  );
};
