/** Finds the source that a setting names. */

/** @throws if the table has no source of this name: the operator must choose another one. */
export const chosenSource = <Source>(
  sources: Readonly<Record<string, Source>>,
  setting: string,
  name: string,
): Source => {
  const source = Object.hasOwn(sources, name) ? sources[name] : undefined;
  if (source === undefined) {
    throw new Error(`${setting} must be one of ${Object.keys(sources).join(', ')}`);
  }
  return source;
};
