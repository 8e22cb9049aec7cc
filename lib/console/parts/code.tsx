/** Code to read and copy. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { announce } from '../hooks.ts';

const copiedMs = 2000;

const CopyButton = ({ text, what }: { text: string; what: string }) => {
  const [done, setDone] = useState<string | null>(null);
  const say = (short: string, message: string) => {
    setDone(short);
    announce(message);
    setTimeout(() => setDone(null), copiedMs);
  };
  const copy = async () => {
    try {
      // `build.ts` replaces `navigator`. Over plain HTTP from another machine, it has no clipboard.
      await window.navigator.clipboard.writeText(text);
      say('Copied', `${what} copied`);
    } catch {
      say('Select it instead', 'The browser does not allow copying. Select the text instead.');
    }
  };
  return (
    <button type="button" class="small" onClick={copy} aria-label={`Copy ${what}`}>
      {done ?? 'Copy'}
    </button>
  );
};

/** Longer texts are shown without colors, which would be many elements. */
const maxColored = 60_000;

const token = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null)\b|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/g;

/** JSON with its strings, names, numbers and words in colors. */
const colored = (json: string): ComponentChildren[] => {
  const parts: ComponentChildren[] = [];
  let end = 0;
  for (const match of json.matchAll(token)) {
    const [all, text, colon, word] = match;
    parts.push(json.slice(end, match.index));
    const kind = text ? (colon ? 'name' : 'string') : word ? 'word' : 'number';
    parts.push(
      <span class={`json-${kind}`} key={match.index}>
        {text ?? all}
      </span>,
    );
    if (colon) parts.push(colon);
    end = match.index + all.length;
  }
  parts.push(json.slice(end));
  return parts;
};

type Props = { label: string; text: string; isJson?: boolean };

export const Code = ({ label, text, isJson = false }: Props) => (
  <div class="code">
    <CopyButton text={text} what={label} />
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it. */}
    <section class="code-room" tabIndex={0} aria-label={label}>
      <pre>
        <code>{isJson && text.length <= maxColored ? colored(text) : text}</code>
      </pre>
    </section>
  </div>
);

export const Json = ({ label, value }: { label: string; value: unknown }) => (
  <Code label={label} text={JSON.stringify(value, null, 2)} isJson />
);
