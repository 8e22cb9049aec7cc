/** A button for what cannot be undone: it asks once more, in its place. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { useAction } from '../hooks.ts';
import { Notice } from './notice.tsx';

type Props = { text: string; question: string; run: () => Promise<void> };

export const ConfirmButton = ({ text, question, run }: Props) => {
  const [isAsking, setIsAsking] = useState(false);
  const cancel = useRef<HTMLButtonElement>(null);
  const action = useAction();
  useEffect(() => {
    if (isAsking) cancel.current?.focus();
  }, [isAsking]);
  if (!isAsking) {
    return (
      <button type="button" class="danger" onClick={() => setIsAsking(true)}>
        {text}
      </button>
    );
  }
  return (
    <fieldset class="confirm">
      <legend>{question}</legend>
      {action.error && <Notice kind="error">{action.error}</Notice>}
      <button type="button" ref={cancel} onClick={() => setIsAsking(false)}>
        Cancel
      </button>
      <button type="button" class="danger" disabled={action.isBusy} onClick={() => action.run(run)}>
        {text}
      </button>
    </fieldset>
  );
};
