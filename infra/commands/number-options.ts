/** Options of commands whose values are numbers of 0 or more, such as `--searches 1e9`. */

type Rows<Name extends string> = Readonly<Record<Name, readonly [number, string]>>;

/** The options for `parseArgs`, with the defaults of the rows. */
export const numberOptions = <Name extends string>(names: readonly Name[], rows: Rows<Name>) =>
  Object.fromEntries(
    names.map((name) => [name, { type: 'string', default: String(rows[name][0]) } as const]),
  );

/** The values of the options. @throws with a sentence if one is not a number of 0 or more. */
export const readNumbers = <Name extends string>(
  names: readonly Name[],
  values: Readonly<Record<string, unknown>>,
): Record<Name, number> =>
  Object.fromEntries(
    names.map((name) => {
      const text = String(values[name]);
      const value = Number(text);
      if (text.trim() === '' || !(value >= 0 && Number.isFinite(value))) {
        throw new Error(`--${name} must be a number of 0 or more`);
      }
      return [name, value];
    }),
  ) as Record<Name, number>;
