/** Who is signed in, in this tab and in the others of the browser. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { SessionUser } from '../model/session.ts';
import { messageOf } from './hooks.ts';
import { useOtherTabs } from './other-tabs.ts';
import { focusNextView } from './parts/heading.tsx';
import { actAs, endSession, onRefusal, readSession, renewSession, signedInEvent } from './session.ts';

/** How often the session is made longer, in milliseconds. Its cookie is kept for an hour. */
const renewalMs = 10 * 60_000;

/** The wait before the session is asked for again after no answer, in milliseconds. */
const afterErrorMs = 15_000;

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
  /** Why the user must sign in, or why the service has not named the user of the session. */
  reason: string | null;
};

const elsewhere = 'You have signed out in another tab.';

export const useSession = () => {
  const [state, setState] = useState<State>({ user: undefined, isEnded: false, reason: null });
  const [failure, setFailure] = useState<string | null>(null);
  const wasInConsole = useRef(false);
  if (state.user) wasInConsole.current = true;
  const shown = useRef<State['user']>(undefined);
  const isEnded = useRef(false);
  const lastFocus = useRef<Element | null>(null);
  /** Grows with each question about the user and each change of it: older answers are ignored. */
  const round = useRef(0);
  const setUser = (user: SessionUser | null, reason: string | null = null) => {
    round.current += 1;
    isEnded.current = false;
    shown.current = user;
    actAs(user);
    setState({ user, isEnded: false, reason });
    if (user) dispatchEvent(new Event(signedInEvent));
  };
  /** Asks the service for the user of the session. */
  const ask = (answered: (user: SessionUser | null) => void, failed: (error: unknown) => void) => {
    round.current += 1;
    const own = round.current;
    const ifNewest =
      <Value>(act: (value: Value) => void) =>
      (value: Value) =>
        own === round.current && act(value);
    readSession().then(ifNewest(answered), ifNewest(failed));
  };
  const signedOutElsewhere = () => setUser(null, wasInConsole.current ? elsewhere : null);
  const tellOthers = useOtherTabs((isSignedOut) => {
    if (isSignedOut) return signedOutElsewhere();
    // Without an answer, the next call of this tab is refused if somebody else has signed in.
    ask(
      (user) => (user ? setUser(user) : signedOutElsewhere()),
      () => undefined,
    );
  });
  const open = () =>
    ask(setUser, (error) => {
      setState((former) => ({ ...former, reason: messageOf(error) }));
    });
  useEffect(() => {
    open();
    onRefusal(() => {
      if (isEnded.current) return;
      lastFocus.current = document.activeElement;
      isEnded.current = true;
      setState((former) =>
        // A call of someone who has signed out meanwhile ends nothing.
        former.user ? { ...former, isEnded: true, reason: 'Your session has ended. Sign in again.' } : former,
      );
      // Somebody else may have signed in, in another tab of which this one has not heard.
      ask(
        (user) => user && user.id !== shown.current?.id && setUser(user),
        () => undefined,
      );
    });
  }, []);
  const isUnknown = state.user === undefined && state.reason !== null;
  useEffect(() => {
    if (!isUnknown) return;
    const timer = setInterval(open, afterErrorMs);
    return () => clearInterval(timer);
  }, [isUnknown]);
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
    tellOthers(false);
    // After the view is in sight again.
    if (isSame) setTimeout(() => focusAgain(lastFocus.current));
  };
  const signOut = () => {
    endSession().then(
      () => {
        setFailure(null);
        setUser(null);
        tellOthers(true);
      },
      (error) => setFailure(`You are still signed in. ${messageOf(error)}`),
    );
  };
  return { ...state, failure, wasInConsole: wasInConsole.current, open, signIn, signOut };
};
