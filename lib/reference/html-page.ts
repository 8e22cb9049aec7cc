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
  /** The sources of styles that the policy allows. */
  styles?: string;
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
 * The prefix of relative links of the page at `path`: if the path ends with a slash, they start one level
 * higher.
 */
export const linkPrefix = (path: string): string => (path.endsWith('/') ? '../' : '');

export const htmlPage = ({ title, head, body, styles = "'self'" }: Page): RawResponse => ({
  statusCode: 200,
  headers: { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policyOf(styles) },
  body: `<!doctype html>
<html lang="en">
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
`,
});
