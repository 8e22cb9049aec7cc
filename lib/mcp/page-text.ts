/** The readable text of a stored page, as lines of Markdown. */
import { Parser } from 'htmlparser2';

const words = (names: string): ReadonlySet<string> => new Set(names.split(/\s+/));

/** Elements without readable text. */
const unread = words('script style noscript template svg math iframe object canvas select head');

/** Elements that begin a new line. */
const blocks = words(
  `address article aside blockquote br dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr
   li main menu nav ol option p pre search section summary table tbody td tfoot th thead tr ul`,
);

const prefixOf = (name: string): string => {
  if (/^h[1-6]$/.test(name)) return `${'#'.repeat(Number(name[1]))} `;
  return name === 'li' ? '- ' : '';
};

/** Far beyond real result pages, which are 63 levels deep and have 10,000 elements. The time of htmlparser2 grows with elements times levels. */
const limits = { depth: 500, elements: 100_000 };

/** A longer line is broken between words, so that a budget of tokens can end within a long paragraph. */
const lineLength = 400;

const broken = (text: string): string[] =>
  text.match(new RegExp(`\\S.{0,${lineLength - 1}}(?=\\s|$)|\\S{1,${lineLength}}`, 'gu')) ?? [];

/**
 * The lines that a person reads, in the order of the page. An element that repeats the line before it adds none. `isWhole`: false if the page
 * is too large, or nested too deep, to be read to its end.
 */
export const pageLines = (html: string): { lines: string[]; isWhole: boolean } => {
  const lines: string[] = [];
  let text = '';
  let prefix = '';
  /** The elements around the parser's place whose content is not read. */
  let hidden = 0;
  let depth = 0;
  let elements = 0;
  let isWhole = true;
  const endLine = (next: string) => {
    const line = text.replace(/\s+/g, ' ').trim();
    if (line) {
      const [first = '', ...others] = broken(line);
      if (prefix + first !== lines.at(-1) || others.length > 0) lines.push(prefix + first, ...others);
      prefix = next;
    } else {
      prefix = next || prefix;
    }
    text = '';
  };
  const parser = new Parser(
    {
      onopentag: (name) => {
        depth += 1;
        elements += 1;
        if (depth > limits.depth || elements > limits.elements) {
          isWhole = false;
          parser.pause();
        }
        if (unread.has(name)) hidden += 1;
        else if (hidden === 0 && blocks.has(name)) endLine(prefixOf(name));
      },
      onclosetag: (name) => {
        depth -= 1;
        if (unread.has(name)) hidden -= 1;
        else if (hidden === 0 && blocks.has(name)) {
          endLine('');
          prefix = '';
        }
      },
      ontext: (part) => {
        if (hidden === 0) text += part;
      },
    },
    { decodeEntities: true },
  );
  parser.write(html);
  if (isWhole) parser.end();
  endLine('');
  return { lines, isWhole };
};
