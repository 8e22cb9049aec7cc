/** A button for what cannot be undone: it asks once more, in its place. */
import { useRef, useState } from 'preact/hooks';
import { useAction, type Work } from '../hooks.ts';
import { Notice } from './notice.tsx';
import { closerOf, Question } from './question.tsx';

type Props = { text: string; question: string; run: Work };

export const ConfirmButton = ({ text, question, run }: Props) => {
  const [isAsking, setIsAsking] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const action = useAction();
  const close = closerOf(button, () => setIsAsking(false));
  if (!isAsking) {
    return (
      <button type="button" ref={button} class="danger" onClick={() => setIsAsking(true)}>
        {text}
      </button>
    );
  }
  return (
    <Question question={question} cancelText="Cancel" close={close}>
      {action.error && <Notice kind="error">{action.error}</Notice>}
      <button type="button" class="danger" disabled={action.isBusy} onClick={() => action.run(run)}>
        {text}
      </button>
    </Question>
  );
};
