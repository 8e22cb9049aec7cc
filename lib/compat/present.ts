/** Objects in which a field that has no value is absent: what a page does not show is never invented. */

type Given = Record<string, unknown>;

const isAbsent = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** The object without its fields that are undefined, null, empty texts or empty lists. */
export const present = (value: Given): Given =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => !isAbsent(each)));

/** As `present`; undefined if nothing is left. */
export const presentOrNone = (value: Given): Given | undefined => {
  const left = present(value);
  return Object.keys(left).length > 0 ? left : undefined;
};

/** The texts that are not empty, each once. */
export const distinct = (texts: readonly string[]): string[] => [...new Set(texts.filter(Boolean))];
