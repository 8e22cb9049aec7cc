/** Tables. One that is too wide scrolls in its room, also by keyboard. */
import type { ComponentChildren } from 'preact';

type Props = { label: string; class?: string; children: ComponentChildren };

export const TableRoom = ({ label, class: name = '', children }: Props) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
  <section class={`table-room ${name}`} tabIndex={0} aria-label={label}>
    {children}
  </section>
);

/** The title of a column. Numbers are at the right; the title `unseen` is for screen readers only. */
export type Column = readonly [title: string, kind?: 'number' | 'unseen'];

type TableProps = { label: string; columns: readonly Column[]; class?: string; children: ComponentChildren };

/** A table whose rows become cards on a phone. The cells name their columns by `data-label`. */
export const Table = ({ label, columns, class: name = 'card flush', children }: TableProps) => (
  <TableRoom label={label} class={name}>
    <table class="rows">
      <caption class="unseen">{label}</caption>
      <thead>
        <tr>
          {columns.map(([title, kind]) => (
            <th key={title} scope="col" class={kind === 'number' ? 'number' : undefined}>
              {kind === 'unseen' ? <span class="unseen">{title}</span> : title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </TableRoom>
);
