/** Which columns a table shows, as check boxes. */
import { CheckField } from './field.tsx';
import type { Choice, Column } from './table.tsx';

type Props<Row> = { columns: readonly Column<Row>[]; choice: Choice };

export const ColumnChoice = <Row,>({ columns, choice: { ids, choose } }: Props<Row>) => {
  const [first, ...others] = columns;
  const all = columns.map(({ id }) => id);
  const isShown = (id: string): boolean => ids.length === 0 || ids.includes(id);
  const toggle = (id: string, isChosen: boolean) =>
    choose(all.filter((each) => each === first?.id || (each === id ? isChosen : isShown(each))));
  return (
    <details class="column-choice">
      <summary>Columns</summary>
      <fieldset class="checks">
        <legend class="unseen">Columns</legend>
        {others.map(({ id, title }) => (
          <CheckField
            key={id}
            label={title}
            isChecked={isShown(id)}
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
