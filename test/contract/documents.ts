/** The documents of the repository, and what they name: links, code spans, commands. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** The text of a file, by its path in the repository. */
export const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** Folders that are generated or installed. */
const others =
  /^(?:node_modules|\.git|\.local.*|\.emulator|\.reference|\.clients|\.bench|\.vitest|\.mutation|cdk\.out.*)$/;

/** The paths of all files below a folder, without what is generated or installed. */
export const filesIn = (folder = '.'): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = relative('.', join(folder, entry.name));
    if (entry.isDirectory()) return others.test(entry.name) ? [] : filesIn(path);
    return entry.isFile() ? [path] : [];
  });

export const files = filesIn();

/** Every document: the Markdown files of the repository, but for the notes of corpus pages. */
export const documents = files.filter((file) => file.endsWith('.md'));

const fence = /^ {0,3}```.*?^ {0,3}```$/gms;
const block = /^(?: {4}|\t).*$/gm;

/** The text without blocks and spans of code, in which brackets are not links and a # is not a heading. */
export const prose = (text: string): string =>
  text
    .replace(fence, '')
    .replace(block, '')
    .replace(/`[^`\n]*`/g, (code) => code.replace(/[[\]]/g, ' '));

/** The spans of code in the text, each as it stands between its backticks. */
export const spansIn = (text: string): string[] =>
  [...text.replace(fence, '').matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);

/** The anchor that Git hosts make of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');

const anchorsIn = (file: string): string[] =>
  [...prose(read(file)).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

/** The targets of the links and pictures of a document, without those of other sites. */
export const linksIn = (file: string): string[] => {
  const text = prose(read(file));
  return [...text.matchAll(/\]\(([^)\s]+)\)/g), ...text.matchAll(/ (?:src|srcset)="([^"]+)"/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target));
};

/** Why a link leads nowhere; null if it leads somewhere. */
export const faultOf = (file: string, target: string): string | null => {
  const [path = '', anchor] = target.split('#');
  const to = path === '' ? file : join(dirname(file), path);
  if (!existsSync(join(root, to))) return `${target}: no such file`;
  if (anchor === undefined) return null;
  if (statSync(join(root, to)).isDirectory() || !to.endsWith('.md')) return `${target}: not a document`;
  return anchorsIn(to).includes(anchor) ? null : `${target}: no such heading`;
};

/** The parts of a document, each with its heading of this depth. */
export const sectionsOf = (file: string, depth: number): string[] =>
  read(file)
    .split(new RegExp(`^${'#'.repeat(depth)} `, 'm'))
    .slice(1);
