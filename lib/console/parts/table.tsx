/**
 * Tables, from one description of their columns. In a room that is too narrow, a table first leaves out the
 * columns that it can spare, and says so: cards of all columns would be four times as high. If that is not
 * enough, its rows become cards.
 */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { changeQuery } from '../address.ts';
import { SelectField } from './field.tsx';

export type Column<Row> = {
  /** The name of the column in the address. */
  id: string;
  title: string;
  /** Numbers are at the right. `unseen`: the title is for screen readers only. */
  kind?: 'number' | 'unseen';
  /** The smallest width in CSS pixels. */
  min: number;
  /** The width of the room, in CSS pixels, below which the column is left out. Absent: it is always there. */
  hiddenBelow?: number;
  /**
   * Whether no line says that the column was left out: only the choice of columns names it. Without a label,
   * it is not in cards.
   */
  isExtra?: boolean;
  /** The name by which the service sorts. Absent: it does not sort by this column. */
  sort?: string;
  /** What a card shows before the value. Absent: nothing. */
  label?: string;
  class?: string;
  cell: (row: Row) => ComponentChildren;
};

export type Order = {
  /** The `sort` of a column; empty: the order of the service. */
  by: string;
  isDescending: boolean;
  /** The name of the order of the service. */
  first: string;
  go: (by: string, isDescending: boolean) => void;
  /** Whether the field for it is elsewhere. Absent: above cards, which have no header row. */
  isElsewhere?: boolean;
};

/** Which columns a person has chosen by `id`. Empty: as the room allows. */
export type Choice = { ids: readonly string[]; choose: (ids: readonly string[]) => void };

export type TableProps<Row> = {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string | number;
  class?: string;
  order?: Order;
  choice?: Choice;
  /** What is above the table, for the `id`s of the columns that are shown. */
  above?: (shown: readonly string[]) => ComponentChildren;
  /** What a row shows in place of all its cells but the first; null: its cells. */
  insteadOf?: (row: Row) => ComponentChildren;
  /** Whether the rows are those of the page before. */
  isStale?: boolean;
};

/** The choice of columns in the address of the view. */
export const choiceIn = (query: URLSearchParams): Choice => ({
  ids: (query.get('columns') ?? '').split(',').filter((id) => id !== ''),
  choose: (ids) => changeQuery({ columns: ids.join(',') }),
});

const widthOf = <Row,>(columns: readonly Column<Row>[]): number =>
  columns.reduce((sum, { min }) => sum + min, 0);

/** The columns that are shown in a room of this width. */
const columnsFor = <Row,>(
  columns: readonly Column<Row>[],
  room: number,
  chosen: readonly string[] = [],
): readonly Column<Row>[] =>
  chosen.length > 0
    ? columns.filter(({ id }, n) => n === 0 || chosen.includes(id))
    : columns.filter(({ hiddenBelow = 0 }) => room >= hiddenBelow);

/** The width of a room, and the width that its content needs when that is larger. */
const useRoom = (key: string) => {
  const room = useRef<HTMLElement>(null);
  const [width, setWidth] = useState(0);
  const [overflow, setOverflow] = useState({ key, width: 0 });
  useLayoutEffect(() => {
    const { current } = room;
    if (!current) return;
    const measure = () => {
      setWidth(current.clientWidth);
      // A word or a number can be wider than the smallest width of its column.
      if (!current.classList.contains('as-cards') && current.scrollWidth > current.clientWidth) {
        setOverflow((former) =>
          former.key === key && former.width >= current.scrollWidth
            ? former
            : { key, width: current.scrollWidth },
        );
      }
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    // Larger letters make a table wider, not its room.
    if (current.firstElementChild) observer.observe(current.firstElementChild);
    return () => observer.disconnect();
  });
  return { room, width, needed: overflow.key === key ? overflow.width : 0 };
};

const Heads = <Row,>({ columns, order }: { columns: readonly Column<Row>[]; order?: Order | undefined }) => (
  <thead>
    <tr>
      {columns.map(({ id, title, kind, min, sort }) => {
        const isBy = order !== undefined && sort !== undefined && order.by === sort;
        return (
          <th
            key={id}
            scope="col"
            class={kind === 'number' ? 'number' : undefined}
            style={{ minWidth: `${min}px` }}
            aria-sort={isBy ? (order.isDescending ? 'descending' : 'ascending') : undefined}
          >
            {order && sort ? (
              <button type="button" onClick={() => order.go(sort, isBy && !order.isDescending)}>
                {title}
                <span aria-hidden="true">{isBy ? (order.isDescending ? ' ↓' : ' ↑') : ''}</span>
              </button>
            ) : (
              <span class={kind === 'unseen' ? 'unseen' : undefined}>{title}</span>
            )}
          </th>
        );
      })}
    </tr>
  </thead>
);

/** The order by any column, also by one that is not in sight. */
export const OrderField = <Row,>({ columns, order }: { columns: readonly Column<Row>[]; order: Order }) => (
  <SelectField
    class={order.isElsewhere ? 'order inline' : 'order'}
    label="Order"
    value={order.by === '' ? '' : `${order.by} ${order.isDescending ? 'desc' : 'asc'}`}
    options={[
      ['', order.first],
      ...columns.flatMap(({ title, sort }) =>
        sort
          ? ([
              [`${sort} asc`, `${title}, ascending`],
              [`${sort} desc`, `${title}, descending`],
            ] as const)
          : [],
      ),
    ]}
    onChoice={(chosen) => {
      const [by = '', direction] = chosen.split(' ');
      order.go(by, direction === 'desc');
    }}
  />
);

type HintProps = { hidden: readonly string[]; all: readonly string[]; choice: Choice | undefined };

/** Says which columns are not in sight, and how to see them. */
const Hint = ({ hidden, all, choice }: HintProps) => (
  <p class="hint table-hint">
    {hidden.length > 0
      ? `Not shown at this width: ${hidden.join(', ')}. `
      : 'The table is wider than its room: scroll it sideways. '}
    {choice && (
      <button type="button" class="link" onClick={() => choice.choose(hidden.length > 0 ? all : [])}>
        {hidden.length > 0 ? 'Show all columns' : 'Fit it to the width'}
      </button>
    )}
  </p>
);

export const Table = <Row,>(props: TableProps<Row>) => {
  const { label, columns, rows, keyOf, class: name = 'card flush', order, choice, insteadOf } = props;
  const chosen = choice?.ids ?? [];
  const { room, width, needed } = useRoom(`${columns.map(({ id }) => id)} ${chosen}`);
  const wanted = columnsFor(columns, width, chosen);
  const isChosen = chosen.length > 0;
  const isWide = width > 0 && width < Math.max(widthOf(wanted), needed);
  const isCards = isWide && !isChosen;
  const shown = isCards ? columns.filter(({ isExtra, label: text }) => !isExtra || text) : wanted;
  const hidden = isChosen ? [] : columns.filter((column) => !column.isExtra && !shown.includes(column));
  return (
    <>
      {props.above?.(shown.map(({ id }) => id))}
      {isCards && order && !order.isElsewhere && <OrderField columns={columns} order={order} />}
      {(hidden.length > 0 || (isWide && isChosen)) && (
        <Hint
          hidden={hidden.map(({ title }) => title)}
          all={columns.flatMap(({ id, isExtra }) => (isExtra ? [] : [id]))}
          choice={choice}
        />
      )}
      <section
        ref={room}
        class={`table-room ${isCards ? 'as-cards' : ''} ${isWide && isChosen ? 'scrolls' : ''} ${name}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it.
        tabIndex={0}
        aria-label={label}
      >
        <table class="rows" aria-busy={props.isStale}>
          <caption class="unseen">{label}</caption>
          <Heads columns={shown} order={order} />
          <tbody>
            {rows.map((row) => {
              const instead = insteadOf?.(row) ?? null;
              const [first, ...others] = shown;
              return (
                <tr key={keyOf(row)} class={instead === null ? undefined : 'gap-row'}>
                  <th scope="row" class={first?.class}>
                    {first?.cell(row)}
                  </th>
                  {instead === null ? (
                    others.map(({ id, kind, label: text, class: look = '', cell }) => (
                      <td
                        key={id}
                        data-label={text}
                        class={`${kind === 'number' ? 'number' : ''} ${look}`.trim() || undefined}
                      >
                        {cell(row)}
                      </td>
                    ))
                  ) : (
                    <td colSpan={others.length}>{instead}</td>
                  )}
                </tr>
              );
            })}
          </tbody>
        </table>
      </section>
    </>
  );
};
