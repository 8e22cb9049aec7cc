/**
 * A button that saves a response as a file. A link cannot do so, because it would not send the header of the
 * console.
 */
import { announce, useAction } from '../hooks.ts';
import { callText } from '../session.ts';
import { Notice } from './notice.tsx';

/** Has the browser save a file, whose text is in parts. */
export const saveFile = (parts: string[], type: string, name: string): void => {
  const url = URL.createObjectURL(new Blob(parts, { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // After the browser has begun to read it.
  setTimeout(() => URL.revokeObjectURL(url), 1000);
};

type Props = { text: string; path: string; type: string; name: string };

export const ExportButton = ({ text, path, type, name }: Props) => {
  const { isBusy, error, run } = useAction();
  const load = () =>
    run(async () => {
      saveFile([await callText(path)], type, name);
      announce(`${name} was saved.`);
    });
  return (
    <>
      <button type="button" disabled={isBusy} onClick={load}>
        {text}
      </button>
      {error && <Notice kind="error">{error}</Notice>}
    </>
  );
};
