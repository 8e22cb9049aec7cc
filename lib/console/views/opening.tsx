/** The page until the service has named the user of the session. It asks for no key. */
import { Notice, Waiting } from '../parts/notice.tsx';

/** `reason`: why the service has not named the user; null while it has not answered. */
export const Opening = ({ reason, again }: { reason: string | null; again: () => void }) => (
  <main class={reason === null ? 'sign-in late' : 'sign-in'}>
    {reason === null ? (
      <Waiting what="the console" />
    ) : (
      <div class="card">
        <h1>Search ranking console</h1>
        <Notice kind="error">{reason}</Notice>
        <button type="button" class="primary" onClick={again}>
          Try again
        </button>
      </div>
    )}
  </main>
);
