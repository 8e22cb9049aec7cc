/**
 * Templates for the sandbox's pages. Inserted values are escaped, except `Html` values, which come from
 * another template.
 */

export type Html = { readonly markup: string };

type Part = string | number | Html | readonly Html[] | null;

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const fill = (part: Part): string => {
  if (part === null) return '';
  if (typeof part === 'string' || typeof part === 'number') {
    return String(part).replace(/[&<>"']/g, (sign) => escapes[sign]!);
  }
  return 'markup' in part ? part.markup : part.map((one) => one.markup).join('');
};

/** Removes the line breaks and the indentation around tags, which only make the template readable. */
const tidy = (text: string) =>
  text
    .replace(/(^|>)\s*\n\s*/g, '$1')
    .replace(/\s*\n\s*(<|$)/g, '$1')
    .replace(/\s*\n\s*/g, ' ');

/** The tidied texts of each template, computed at its first use. */
const tidied = new WeakMap<TemplateStringsArray, string[]>();

export const html = (strings: TemplateStringsArray, ...parts: Part[]): Html => {
  const texts = tidied.get(strings) ?? strings.map(tidy);
  tidied.set(strings, texts);
  return { markup: texts.map((text, i) => (i === 0 ? '' : fill(parts[i - 1] ?? null)) + text).join('') };
};

/** A script that sets `name` to `value`. */
export const scriptData = (name: string, value: unknown): Html => ({
  markup: `<script>${name}=${JSON.stringify(value).replaceAll('<', '\\u003c')};</script>`,
});

/** The URL in an attribute of a template. */
const unescaped = (attribute: string): string => attribute.replaceAll('&#39;', "'").replaceAll('&amp;', '&');

/**
 * Replaces the absolute URLs of the links of a page. `map` gets a URL and its tag; null leaves the link as it
 * is.
 */
export const mapLinks = (body: string, map: (url: string, tag: string) => string | null): string =>
  body.replace(
    /(<a [^>]*?href=")(https:[^"]+)("[^>]*>)/g,
    (tag: string, before: string, href: string, after: string) => {
      const mapped = map(unescaped(href), tag);
      return mapped === null ? tag : `${before}${fill(mapped)}${after}`;
    },
  );
