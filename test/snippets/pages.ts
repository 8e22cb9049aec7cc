/**
 * The snippets of the reference (`docs/api`) and of README: programs with what they print, in the order of
 * their page.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

export type Language = 'bash' | 'ts' | 'python';

export type Snippet = {
  /** Where it is, for messages: `search.md:12`. */
  at: string;
  language: Language;
  code: string;
  /** What the page says that it prints; null if it says nothing. */
  output: string | null;
  /** The variables that the text before it tells the reader to set from the output of the snippet before. */
  fills: string[];
};

const root = new URL('../../', import.meta.url);

const languages: readonly string[] = ['bash', 'ts', 'python'] satisfies Language[];
const isLanguage = (word: string): word is Language => languages.includes(word);
const outputs = ['json', 'text', 'csv'];

/** The snippets of a page. A block of JSON, text or CSV is the output of the snippet before it. */
export const snippetsIn = (page: string, name: string): Snippet[] => {
  const snippets: Snippet[] = [];
  let end = 0;
  let prose = '';
  for (const { index, 0: block, 1: tag = '', 2: code = '' } of page.matchAll(/^```(\w+)\n(.*?)^```$/gms)) {
    prose += page.slice(end, index);
    end = index + block.length;
    const before = snippets.at(-1);
    if (isLanguage(tag)) {
      const fills = [...prose.matchAll(/into `([A-Z_]+)`/g)].map(([, variable = '']) => variable);
      const line = page.slice(0, index).split('\n').length;
      snippets.push({ at: `${name}:${line}`, language: tag, code, output: null, fills });
      prose = '';
    } else if (outputs.includes(tag) && before && before.output === null) before.output = code;
  }
  return snippets;
};

/** The programs of this page need generated clients. `test/reference/clients.ts` runs them. */
const withClients = 'docs/api/clients.md';

/**
 * The programs of this page need clients of other services. `test/clients` runs them, and `npm test` the
 * rest.
 */
const withOtherClients = 'existing-clients.md';

const isRunHere = (name: string, { language }: Snippet): boolean =>
  name !== withOtherClients || language === 'bash';

/** Page → its snippets. Pages without snippets are left out. */
export const readPages = (): Map<string, Snippet[]> =>
  new Map(
    ['README.md', ...readdirSync(new URL('docs/api/', root)).map((name) => `docs/api/${name}`)]
      .filter((path) => path.endsWith('.md') && path !== withClients)
      .map((path) => [basename(path), readFileSync(new URL(path, root), 'utf8')] as const)
      .map(([name, text]) => {
        const snippets = snippetsIn(text, name).filter((snippet) => isRunHere(name, snippet));
        return [name, snippets] as const;
      })
      .filter(([, snippets]) => snippets.length > 0),
  );

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A line of an output as a pattern: `…` matches any text, and a long number matches any number. */
const linePattern = (line: string): string =>
  line
    .split('…')
    .map((part) => escaped(part).replace(/\d{10,}/g, '\\d+'))
    .join('[^\\n]*');

/** What a page says that a snippet prints, as a pattern: a line with `…` alone matches any lines. */
export const patternOf = (output: string): RegExp => {
  const lines = output.trimEnd().split('\n');
  const pattern = lines.map((line) =>
    line.trim() === '…' ? '(?:[^\\n]*\\n)*?' : `${linePattern(line)} *\\n`,
  );
  return new RegExp(`^${pattern.join('')}${lines.at(-1)?.trim() === '…' ? '' : '$'}`);
};

/** Whether a snippet printed what its page says. */
export const isPrinted = (printed: string, { output }: Snippet): boolean =>
  output === null || patternOf(output).test(`${printed.replaceAll('\r\n', '\n').trimEnd()}\n`);
