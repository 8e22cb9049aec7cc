/** The view that asks for an API key. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { SessionUser } from '../../model/session.ts';
import { messageOf } from '../hooks.ts';
import { TextField } from '../parts/field.tsx';
import { Notice } from '../parts/notice.tsx';
import { CallError, openSession, urlOf } from '../session.ts';

type Props = {
  reason: string | null;
  /** Whether this page takes the place of the console, in which somebody was. */
  wasInConsole: boolean;
  signIn: (user: SessionUser) => void;
};

export const SignIn = ({ reason, wasInConsole, signIn }: Props) => {
  const [key, setKey] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const former = document.title;
    document.title = 'Sign in · Search ranking console';
    // The view that waits behind it keeps its title.
    return () => {
      document.title = former;
    };
  }, []);
  // Whoever was in the console before continues here. A page that opens leaves the focus to the browser.
  useEffect(() => {
    if (wasInConsole) form.current?.querySelector('input')?.focus();
  }, []);
  const submit = async (event: Event) => {
    event.preventDefault();
    // From the field: a password manager may have filled it without an event.
    const given = (form.current?.querySelector('input')?.value ?? key).trim();
    if (given === '') {
      setError('Enter your API key.');
      return;
    }
    setError(null);
    setIsBusy(true);
    try {
      signIn(await openSession(given));
    } catch (failure) {
      const isWrong = failure instanceof CallError && failure.status === 401;
      setError(isWrong ? 'The service does not accept this key.' : messageOf(failure));
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <main class="sign-in">
      <form ref={form} class="card" onSubmit={submit} noValidate>
        <img src={urlOf('console/icon.svg')} alt="" width="44" height="44" />
        <h1>Search ranking console</h1>
        <p class="lead">Sign in with the API key of your user.</p>
        {(error ?? reason) && <Notice kind="error">{error ?? reason}</Notice>}
        <TextField
          label="API key"
          type="password"
          name="key"
          value={key}
          onText={setKey}
          autocomplete="current-password"
          hint="The key is not kept. You stay signed in for an hour after your last visit, for half a day at most."
        />
        <button type="submit" class="primary" disabled={isBusy}>
          {isBusy ? 'Checking…' : 'Sign in'}
        </button>
        <p class="small-print">
          <a href={urlOf('docs')}>API reference</a>
          <a href={urlOf('console/licenses.txt')}>Licenses</a>
        </p>
      </form>
    </main>
  );
};
