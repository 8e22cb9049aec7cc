/**
 * The sections of `docs/api/existing-clients.md` that have a program: how to use a client with the service.
 */
import { readFileSync } from 'node:fs';

export type Section = {
  /** The registry, the package and its version, as the section installs them. */
  tool: 'pip' | 'npm';
  name: string;
  version: string;
  program: string;
  /** What the program prints. */
  output: string;
};

const block = (text: string, tag: string): string | undefined =>
  new RegExp(`^\`\`\`(?:${tag})\\n(.*?)^\`\`\`$`, 'ms').exec(text)?.[1];

/** @throws if the section does not have one command that installs a version, a program and its output. */
const readSection = (text: string): Section => {
  const [, tool, name = '', version = ''] =
    /^(pip|npm) install ([\w@/-]+?)(?:==|@)([\d.]+)\n$/.exec(block(text, 'console') ?? '') ?? [];
  const program = block(text, 'ts|python');
  const output = block(text, 'text');
  if ((tool !== 'pip' && tool !== 'npm') || !program || !output)
    throw new Error(`A section of existing-clients.md needs a command, a program and its output:\n${text}`);
  return { tool, name, version, program, output };
};

/** Heading → its section. */
export const readExistingClients = (): Map<string, Section> => {
  const page = readFileSync(new URL('../../docs/api/existing-clients.md', import.meta.url), 'utf8');
  return new Map(
    page
      .split(/^#{2,3} /m)
      .slice(1)
      .filter((section) => section.includes('```console'))
      .map((section) => [section.slice(0, section.indexOf('\n')), readSection(section)]),
  );
};
