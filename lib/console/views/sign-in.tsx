/** The view that asks for an API key. */
import { useEffect, useState } from 'preact/hooks';
import type { SessionUser } from '../../model/session.ts';
import { messageOf } from '../hooks.ts';
import { TextField } from '../parts/field.tsx';
import { Notice } from '../parts/notice.tsx';
import { CallError, openSession, urlOf } from '../session.ts';

type Props = { reason: string | null; signIn: (user: SessionUser) => void };

export const SignIn = ({ reason, signIn }: Props) => {
  const [key, setKey] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  useEffect(() => {
    document.title = 'Sign in · Search ranking console';
  }, []);
  const submit = async (event: Event) => {
    event.preventDefault();
    const given = key.trim();
    if (given === '') {
      setError('Enter your API key.');
      return;
    }
    setError(null);
    setIsBusy(true);
    try {
      const user = await openSession(given);
      if (user) signIn(user);
    } catch (failure) {
      const isWrong = failure instanceof CallError && failure.status === 401;
      setError(isWrong ? 'The service does not accept this key.' : messageOf(failure));
      setIsBusy(false);
    }
  };
  return (
    <main class="sign-in">
      <form class="card" onSubmit={submit} noValidate>
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
