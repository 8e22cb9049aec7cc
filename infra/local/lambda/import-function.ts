/**
 * Imports the functions of the template by their entry files. In the program (`infra/local/make-program.ts`),
 * a table of the functions is in place of this file.
 */

const root = new URL('../../../', import.meta.url);

/**
 * Functions with packages that take a tenth of a second each to load (those of the Model Context Protocol,
 * and Puppeteer), and that most services never call. They are imported at their first call.
 */
export const importedLate = ['functions/api/mcp.ts', 'functions/crawl/render-page.ts'];

/** The module of an entry file. Rejects if there is none. */
export const importFunction = (entry: string): Promise<{ handler?: unknown }> =>
  import(new URL(entry, root).href);
