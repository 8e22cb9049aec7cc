/**
 * Hooks that the views share: the present address, data that is loaded and loaded again, what buttons and
 * forms do, and messages for screen readers.
 */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { type Address, addressOf } from './address.ts';
import { rememberFocus } from './focus.ts';
import { CallError, signedInEvent } from './session.ts';

export const useAddress = (): Address => {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const update = () => setHash(location.hash);
    addEventListener('hashchange', update);
    return () => removeEventListener('hashchange', update);
  }, []);
  return addressOf(hash);
};

export type Loaded<Data> = {
  /** The newest data. It stays while it is loaded again, and after a failed attempt. */
  data: Data | null;
  error: string | null;
  isLoading: boolean;
  reload: () => void;
};

const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The wait before the next attempt after a failed one, in milliseconds. */
const afterErrorMs = 15_000;

/** The session has ended. The app asks for a sign-in, and the view stays as it is behind it. */
const isSessionEnd = (error: unknown): boolean => error instanceof CallError && error.status === 401;

/** A request that the service refused for good: another attempt would get the same answer. */
const isFinalError = (error: unknown): boolean =>
  error instanceof CallError && error.status >= 400 && error.status < 500 && error.status !== 429;

/**
 * Loads data for a key, and again after `pollMs` milliseconds; null: not again. A page in the background
 * loads nothing. If the key is null, nothing is loaded. If the session has ended, it is loaded after the next
 * sign-in.
 */
export const useLoaded = <Data>(
  key: string | null,
  load: (signal: AbortSignal) => Promise<Data>,
  pollMs: (data: Data) => number | null = () => null,
): Loaded<Data> => {
  const [state, setState] = useState<{ key: string | null; data: Data | null; error: string | null }>({
    key,
    data: null,
    error: null,
  });
  const [isLoading, setIsLoading] = useState(key !== null);
  const [round, setRound] = useState(0);
  const latest = useRef({ load, pollMs });
  latest.current = { load, pollMs };
  useEffect(() => {
    if (key === null) return;
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isRefused = false;
    const again = (ms: number | null) => {
      if (ms === null) return;
      timer = setTimeout(() => (document.hidden ? again(ms) : run()), ms);
    };
    const run = async () => {
      setIsLoading(true);
      isRefused = false;
      try {
        const data = await latest.current.load(abort.signal);
        if (abort.signal.aborted) return;
        setState({ key, data, error: null });
        again(latest.current.pollMs(data));
      } catch (error) {
        if (abort.signal.aborted || isAbort(error)) return;
        isRefused = isSessionEnd(error);
        if (isRefused) return;
        setState((former) => ({
          key,
          data: former.key === key ? former.data : null,
          error: messageOf(error),
        }));
        again(isFinalError(error) ? null : afterErrorMs);
      } finally {
        if (!abort.signal.aborted) setIsLoading(false);
      }
    };
    const resume = () => {
      if (isRefused) run();
    };
    run();
    addEventListener(signedInEvent, resume);
    return () => {
      removeEventListener(signedInEvent, resume);
      abort.abort();
      clearTimeout(timer);
    };
  }, [key, round]);

  const reload = useCallback(() => setRound((former) => former + 1), []);
  const isCurrent = state.key === key;
  return {
    data: isCurrent ? state.data : null,
    error: isCurrent ? state.error : null,
    isLoading: isLoading || !isCurrent,
    reload,
  };
};

export type Action = {
  isBusy: boolean;
  /** Why the last run failed. Null: it did not. */
  error: string | null;
  run: (work: Work) => Promise<void>;
};

/**
 * `isAwaited`: whether the person still waits for this run. Not after a later run, or in another view: what
 * is shown must not be replaced then.
 */
export type Work = (isAwaited: () => boolean) => Promise<void>;

const afterSessionEnd = 'Nothing was done, because your session had ended. Do it again.';

/**
 * What a button or a form does: whether it is under way, and how it failed. The button is disabled while it
 * is: after that, it has the focus again.
 */
export const useAction = (): Action => {
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const latest = useRef(0);
  useEffect(
    () => () => {
      latest.current = Number.POSITIVE_INFINITY;
    },
    [],
  );
  const run = async (work: Work) => {
    latest.current += 1;
    const own = latest.current;
    const isAwaited = () => latest.current === own;
    const returnFocus = rememberFocus();
    setIsBusy(true);
    setError(null);
    try {
      await work(isAwaited);
    } catch (failure) {
      if (isAwaited()) setError(isSessionEnd(failure) ? afterSessionEnd : messageOf(failure));
    } finally {
      if (isAwaited()) {
        setIsBusy(false);
        // After the button is enabled again.
        setTimeout(() => isAwaited() && returnFocus());
      }
    }
  };
  return { isBusy, error, run };
};

let say: (message: string) => void = () => undefined;

/** Has screen readers read a message. */
export const announce = (message: string): void => say(message);

/** The message for the live region of the page. */
export const useAnnouncement = (): string => {
  const [message, setMessage] = useState('');
  useEffect(() => {
    say = (text) => {
      // The same text twice would not be read again.
      setMessage('');
      setTimeout(() => setMessage(text), 50);
    };
  }, []);
  return message;
};

/** A text that follows another one when that has not changed for some time. */
export const useSettled = (text: string, ms = 300): string => {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), ms);
    return () => clearTimeout(timer);
  }, [text, ms]);
  return settled;
};

/**
 * A text of the address: it follows the address, and `write` puts it there when the person stops typing.
 * Without the white space at its ends.
 */
export const useAddressText = (inAddress: string, write: (text: string) => void) => {
  const [text, setText] = useState(inAddress);
  const settled = useSettled(text).trim();
  /** The text that was written into the address last. */
  const written = useRef(inAddress);
  useEffect(() => {
    if (settled === inAddress) return;
    written.current = settled;
    write(settled);
  }, [settled]);
  // A link, or the way back, has changed the address.
  useEffect(() => {
    if (inAddress === written.current) return;
    written.current = inAddress;
    setText(inAddress);
  }, [inAddress]);
  return [text, setText] as const;
};
