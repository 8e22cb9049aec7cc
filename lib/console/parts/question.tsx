/** A question in the place of the button that asked it. Escape is the answer no. */
import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** What closes a question, and gives the focus back to the button that opened it. */
export const closerOf = (button: RefObject<HTMLButtonElement | null>, close: () => void) => (): void => {
  close();
  // After the button is there again.
  setTimeout(() => button.current?.focus());
};

type Props = {
  question: ComponentChildren;
  cancelText: string;
  close: () => void;
  /** The answer yes. */
  children: ComponentChildren;
};

export const Question = ({ question, cancelText, close, children }: Props) => {
  const cancel = useRef<HTMLButtonElement>(null);
  useEffect(() => cancel.current?.focus(), []);
  return (
    <fieldset
      class="confirm"
      onKeyDown={(event) => {
        if (event.key === 'Escape') close();
      }}
    >
      <legend>{question}</legend>
      <button type="button" ref={cancel} onClick={close}>
        {cancelText}
      </button>
      {children}
    </fieldset>
  );
};
