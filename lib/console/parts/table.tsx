/** Tables. In a room that is too narrow for its columns, the rows of a table become cards. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** The title of a column. Numbers are at the right; the title `unseen` is for screen readers only. */
export type Column = readonly [title: string, kind?: 'number' | 'unseen' | undefined, minWidth?: number];

/** The smallest widths of columns that do not name theirs, in CSS pixels. */
const smallest = { first: 170, number: 90, other: 120 };

const widthOf = ([, kind, width]: Column, n: number): number =>
  width ?? (n === 0 ? smallest.first : kind ? smallest.number : smallest.other);

type RoomProps = { label: string; columns: readonly Column[]; class?: string; children: ComponentChildren };

/** The room of a table. It scrolls, also by keyboard, if something in the table is wider than its column. */
export const TableRoom = ({ label, columns, class: name = '', children }: RoomProps) => {
  const room = useRef<HTMLElement>(null);
  const [isNarrow, setIsNarrow] = useState(false);
  const needed = columns.reduce((sum, column, n) => sum + widthOf(column, n), 0);
  useLayoutEffect(() => {
    const { current } = room;
    if (!current) return;
    let smallest = needed;
    const measure = () => {
      // A word or a number can be wider than the smallest width of its column.
      if (!current.classList.contains('as-cards') && current.scrollWidth > current.clientWidth) {
        smallest = Math.max(smallest, current.scrollWidth);
      }
      setIsNarrow(current.clientWidth < smallest);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [needed, children]);
  return (
    <section
      ref={room}
      class={`table-room ${isNarrow ? 'as-cards' : ''} ${name}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
      tabIndex={0}
      aria-label={label}
    >
      {children}
    </section>
  );
};

type TableProps = { label: string; columns: readonly Column[]; class?: string; children: ComponentChildren };

/** A table. The cells name their columns by `data-label`, which a card shows. */
export const Table = ({ label, columns, class: name = 'card flush', children }: TableProps) => (
  <TableRoom label={label} columns={columns} class={name}>
    <table class="rows">
      <caption class="unseen">{label}</caption>
      <thead>
        <tr>
          {columns.map((column, n) => {
            const [title, kind] = column;
            return (
              <th
                key={title}
                scope="col"
                class={kind === 'number' ? 'number' : undefined}
                style={{ minWidth: `${widthOf(column, n)}px` }}
              >
                {kind === 'unseen' ? <span class="unseen">{title}</span> : title}
              </th>
            );
          })}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </TableRoom>
);
