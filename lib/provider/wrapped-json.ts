/** Reads JSON that a source protects from inclusion by other sites, or wraps into a call of a function. */

/** `)]}'`, in some interfaces with a comma, and the end of its line. */
const guard = /^\)\]\}'[^\n[{]*\s*/;

/** The beginning of a call: `name(`, `name && name(`, `if(typeof name == 'function') name(`. */
const call = /^(?:\/\*.*?\*\/\s*)?(?:if\s*\([^)]*\)\s*)?(?:[\w$.]+\s*&&\s*)?[\w$.]+\s*\(/s;

/** The argument of a call, without a comment after it. Undefined if the text is no complete call. */
const argumentOf = (text: string): string | undefined => {
  const begin = call.exec(text)?.[0];
  const end = /\)\s*;?$/.exec(text);
  if (begin === undefined || !end) return undefined;
  return text.slice(begin.length, end.index).replace(/\/\*[^*]*\*\/\s*$/, '');
};

/** The value in the text; undefined if the text is no complete JSON, bare or wrapped. */
export const readWrappedJson = (text: string): unknown => {
  // A byte order mark is white space, too.
  const bare = text.trim().replace(guard, '');
  const json = /^[[{]/.test(bare) ? bare : argumentOf(bare);
  if (json === undefined) return undefined;
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
};
