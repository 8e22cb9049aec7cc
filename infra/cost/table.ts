/** Rows of text as lines with aligned columns. */

/** The first column is aligned to the left, the others to the right, or to the left if they are texts. */
export const aligned = (rows: readonly string[][], textColumns: readonly number[] = [0]): string[] => {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, at) => cell[textColumns.includes(at) ? 'padEnd' : 'padStart'](widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
};
