/** Who is signed in, in this tab and in the others of the browser. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { SessionUser } from '../model/session.ts';
import { messageOf } from './hooks.ts';
import { focusNextView } from './parts/heading.tsx';
import { endSession, onRefusal, readSession, renewSession, signedInEvent } from './session.ts';

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

/**
 * Tells the other tabs when a person signs in or out: they share the cookie, so they would show one user and
 * act as another. `changed`: what this tab does when another one tells it, or when the way back shows it as
 * it was before.
 */
const useOtherTabs = (changed: () => void): (() => void) => {
  const channel = useRef<BroadcastChannel | null>(null);
  useEffect(() => {
    const opened = new BroadcastChannel('search-ranking-session');
    const show = ({ persisted }: PageTransitionEvent) => persisted && changed();
    opened.onmessage = changed;
    channel.current = opened;
    addEventListener('pageshow', show);
    return () => {
      removeEventListener('pageshow', show);
      opened.close();
    };
  }, []);
  return () => channel.current?.postMessage(null);
};

/** Gives the focus back to an element of the view, or to the view if it had none. */
const focusAgain = (element: Element | null) => {
  const isThere = element instanceof HTMLElement && element.isConnected && element !== document.body;
  (isThere ? element : document.querySelector('main'))?.focus();
};

type State = {
  /** Undefined while that is not known; null: none. */
  user: SessionUser | null | undefined;
  /** The session of the user has ended. What the user sees and has typed waits for the next sign-in. */
  isEnded: boolean;
  /** Why a sign-in is needed. */
  reason: string | null;
};

export const useSession = () => {
  const [state, setState] = useState<State>({ user: undefined, isEnded: false, reason: null });
  const [failure, setFailure] = useState<string | null>(null);
  const wasInConsole = useRef(false);
  if (state.user) wasInConsole.current = true;
  const isEnded = useRef(false);
  const lastFocus = useRef<Element | null>(null);
  const setUser = (user: SessionUser | null, reason: string | null = null) => {
    isEnded.current = false;
    setState({ user, isEnded: false, reason });
    if (user) dispatchEvent(new Event(signedInEvent));
  };
  const tellOthers = useOtherTabs(() => {
    readSession().then(
      (user) => setUser(user, user || !wasInConsole.current ? null : 'You have signed out in another tab.'),
      () => undefined,
    );
  });
  useEffect(() => {
    readSession().then(
      (user) => setUser(user),
      (error) => setUser(null, messageOf(error)),
    );
    onRefusal(() => {
      if (!isEnded.current) lastFocus.current = document.activeElement;
      isEnded.current = true;
      setState((former) =>
        // A call of someone who has signed out meanwhile ends nothing.
        former.user ? { ...former, isEnded: true, reason: 'Your session has ended. Sign in again.' } : former,
      );
    });
  }, []);
  // What is said about a sign-out is no part of the next view.
  useEffect(() => {
    const forget = () => setFailure(null);
    addEventListener('hashchange', forget);
    return () => removeEventListener('hashchange', forget);
  }, []);
  useRenewal(Boolean(state.user) && !state.isEnded);
  const signIn = (user: SessionUser) => {
    const isSame = state.isEnded && state.user?.id === user.id;
    if (!isSame) focusNextView();
    setUser(user);
    tellOthers();
    // After the view is in sight again.
    if (isSame) setTimeout(() => focusAgain(lastFocus.current));
  };
  const signOut = () => {
    endSession().then(
      () => {
        setFailure(null);
        setUser(null);
        tellOthers();
      },
      (error) => setFailure(`You are still signed in. ${messageOf(error)}`),
    );
  };
  return { ...state, failure, wasInConsole: wasInConsole.current, signIn, signOut };
};
