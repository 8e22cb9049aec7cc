/**
 * The HTML pages of the service. They contain no inline script, so their Content-Security-Policy is strict.
 * All of their links are relative, so they work under a stage prefix.
 */
import type { RawResponse } from '../api/route.ts';

type Page = {
  title: string;
  /** The lines of the head after the title. */
  head: readonly string[];
  /** The lines of the body. */
  body: readonly string[];
  /** Whether the texts of the page change while it is open. */
  isLive?: boolean;
};

const policyOf = (styles: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${styles}`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/**
 * The prefix of relative links from the page at `path` to the root of the service: each slash after the first
 * is one level.
 */
export const linkPrefix = (path: string): string => '../'.repeat(path.split('/').length - 2);

/** The response with an HTML document. */
export const htmlResponse = (body: string, styles = "'self'"): RawResponse => ({
  statusCode: 200,
  headers: { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policyOf(styles) },
  body,
});

/**
 * The translator of a browser puts its own elements in the place of the texts of a page. A script that
 * changes a text later changes one that is not in the page any more, so a person reads a former position.
 * These attributes tell translators not to translate the page. Some read only the class.
 */
const notTranslated = ' class="notranslate" translate="no"';

export const htmlDocument = ({ title, head, body, isLive = false }: Page): string => `<!doctype html>
<html lang="en"${isLive ? notTranslated : ''}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${head.join('\n')}
</head>
<body>
${body.join('\n')}
</body>
</html>
`;

export const htmlPage = (page: Page): RawResponse => htmlResponse(htmlDocument(page));
