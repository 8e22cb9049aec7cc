/** The room of a table. A table that is too wide scrolls in it, also by keyboard. */
import type { ComponentChildren } from 'preact';

type Props = { label: string; class?: string; children: ComponentChildren };

export const TableRoom = ({ label, class: name = '', children }: Props) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
  <section class={`table-room ${name}`} tabIndex={0} aria-label={label}>
    {children}
  </section>
);
