/** What the tabs of a browser tell one another about the session: they share its cookie. */
import { useEffect, useRef } from 'preact/hooks';
import { stopRenewal } from './session.ts';

const signedOut = 'signed-out';

/** Null: the browser has none, or refuses it because it keeps nothing for the address. */
const openChannel = (): BroadcastChannel | null => {
  try {
    return new BroadcastChannel('search-ranking-session');
  } catch {
    return null;
  }
};

/**
 * Tells the other tabs when a person signs in or out: they share the cookie, so they would show one user and
 * not act as that one. `changed`: what this tab does when another one tells it, or when the way back shows it
 * as it was before. A sign-out needs no question to the service, which may not answer.
 */
export const useOtherTabs = (changed: (isSignedOut: boolean) => void): ((isSignedOut: boolean) => void) => {
  const channel = useRef<BroadcastChannel | null>(null);
  const latest = useRef(changed);
  latest.current = changed;
  useEffect(() => {
    const show = ({ persisted }: PageTransitionEvent) => persisted && latest.current(false);
    addEventListener('pageshow', show);
    // Without it, a tab notices at its next call that somebody else has signed in.
    const opened = openChannel();
    if (opened) {
      opened.onmessage = ({ data }) => {
        stopRenewal();
        latest.current(data === signedOut);
      };
    }
    channel.current = opened;
    return () => {
      removeEventListener('pageshow', show);
      opened?.close();
    };
  }, []);
  return (isSignedOut) => channel.current?.postMessage(isSignedOut ? signedOut : 'signed-in');
};
