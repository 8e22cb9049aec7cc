/** The scripts of a page, in which the engine writes settings for its own code. */
import { isText } from 'domhandler';
import type { Page } from './page.ts';
import { namedIn, once } from './page-cache.ts';

/**
 * The texts of the scripts, in page order. A setting of the engine is valid only there: a site can write the
 * same signs into its title, and engines show them as they are.
 */
export const scriptsOf = once(({ html, root }: Page): string[] =>
  namedIn(root, 'script').flatMap(({ children: [text] }) =>
    text && isText(text) && text.startIndex !== null && text.endIndex !== null
      ? [html.slice(text.startIndex, text.endIndex + 1)]
      : [],
  ),
);

/** The first match of a pattern in the scripts of a page; null if there is none. */
export const inScripts = (page: Page, pattern: RegExp): RegExpExecArray | null => {
  for (const script of scriptsOf(page)) {
    const found = pattern.exec(script);
    if (found) return found;
  }
  return null;
};
