/** The editor of a search's request. */
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { messageOf } from '../hooks.ts';
import type { SearchBody } from '../search.ts';

/** The request as JSON, which can be edited. Text that is not an object changes nothing. */
export const RequestEditor = ({ body, onBody }: { body: SearchBody; onBody: (body: SearchBody) => void }) => {
  const id = useId();
  const [text, setText] = useState(JSON.stringify(body, null, 2));
  const [error, setError] = useState<string | null>(null);
  const known = useRef(JSON.stringify(body));
  // The form has changed.
  useEffect(() => {
    if (JSON.stringify(body) === known.current) return;
    known.current = JSON.stringify(body);
    setText(JSON.stringify(body, null, 2));
    setError(null);
  }, [body]);
  const edit = (changed: string) => {
    setText(changed);
    try {
      const parsed: unknown = JSON.parse(changed);
      if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
        throw new Error('The request is an object.');
      setError(null);
      known.current = JSON.stringify(parsed);
      onBody({ ...parsed });
    } catch (failure) {
      setError(messageOf(failure));
    }
  };
  return (
    <div class="editor">
      <label for={id}>Body of the request. The form follows it.</label>
      <textarea
        id={id}
        rows={14}
        spellcheck={false}
        value={text}
        aria-invalid={error !== null}
        aria-describedby={error ? `${id}-error` : undefined}
        onInput={(event) => edit(event.currentTarget.value)}
      />
      {error && (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
};
