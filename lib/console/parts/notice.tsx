/** Short texts about a state: errors, empty lists, data on its way. */
import type { ComponentChildren } from 'preact';
import type { Loaded } from '../hooks.ts';

/** A message in a box. Screen readers read an error at once. */
export const Notice = ({ kind, children }: { kind: 'error' | 'info'; children: ComponentChildren }) => (
  <p class={`notice ${kind}`} role={kind === 'error' ? 'alert' : undefined}>
    {children}
  </p>
);

export const Empty = ({ title, children }: { title: string; children?: ComponentChildren }) => (
  <div class="empty">
    <p class="empty-title">{title}</p>
    {children && <p>{children}</p>}
  </div>
);

/** Takes the place of content that is being loaded. */
export const Waiting = ({ what }: { what: string }) => (
  <p class="waiting" role="status">
    <span class="spinner" aria-hidden="true" /> Loading {what}…
  </p>
);

/** Says that data is on its way, or why it is not there. */
export const LoadState = ({
  loaded: { data, error },
  what,
}: {
  loaded: Pick<Loaded<unknown>, 'data' | 'error'>;
  what: string;
}) => {
  if (error) return <Notice kind="error">{error}</Notice>;
  return data === null ? <Waiting what={what} /> : null;
};
