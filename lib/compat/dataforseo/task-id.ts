/** The ids of tasks in the form of DataForSEO: the id of our task, written as a UUID. Pure. */

const digits = 16;

/** The id as a UUID. Nothing is stored: `parseTaskId` reads the id from it. */
export const taskIdOf = (id: number): string => {
  const hex = id.toString(16).padStart(digits, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12)}-0000-000000000000`;
};

/** The id of our task; undefined for a text that `taskIdOf` does not make. */
export const parseTaskId = (text: string): number | undefined => {
  const [, a = '', b = '', c = ''] =
    /^([\da-f]{8})-([\da-f]{4})-([\da-f]{4})-0000-0{12}$/.exec(text.toLowerCase()) ?? [];
  const id = Number.parseInt(a + b + c, 16);
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
};
