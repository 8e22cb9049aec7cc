/** Which columns a table shows, as check boxes. */
import { CheckField } from './field.tsx';
import type { Choice, Column } from './table.tsx';

/** `shown`: the `id`s of the columns that the table shows now. */
type Props<Row> = { columns: readonly Column<Row>[]; choice: Choice; shown: readonly string[] };

export const ColumnChoice = <Row,>({ columns, choice: { ids, choose }, shown }: Props<Row>) => {
  const [first, ...others] = columns;
  const all = columns.map(({ id }) => id);
  const toggle = (id: string, isChosen: boolean) =>
    choose(all.filter((each) => each === first?.id || (each === id ? isChosen : shown.includes(each))));
  return (
    <details class="column-choice">
      <summary>Columns</summary>
      <fieldset class="checks">
        <legend class="unseen">Columns</legend>
        {others.map(({ id, title }) => (
          <CheckField
            key={id}
            label={title}
            isChecked={shown.includes(id)}
            onCheck={(isChosen) => toggle(id, isChosen)}
          />
        ))}
        {ids.length > 0 && (
          <button type="button" class="link" onClick={() => choose([])}>
            As the width allows
          </button>
        )}
      </fieldset>
    </details>
  );
};
