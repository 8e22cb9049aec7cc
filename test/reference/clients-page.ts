/** The sections of `docs/api/clients.md`: how to make and use a client with each generator. */
import { readFileSync } from 'node:fs';

export type Section = {
  /** Gets the generator. */
  get: string;
  /** Makes the client in the present folder. */
  make: string;
  /** Runs the program. */
  run: string;
  program: string;
  /** What the program prints. */
  output: string;
};

const block = (text: string, tag: string): string | undefined =>
  new RegExp(`^\`\`\`(?:${tag})\\n(.*?)^\`\`\`$`, 'ms').exec(text)?.[1];

/** @throws if the section does not have three commands, a program and its output. */
const readSection = (text: string): Section => {
  const [get, make, run, ...others] = block(text, 'console')?.trimEnd().split('\n') ?? [];
  const program = block(text, 'ts|python|go');
  const output = block(text, 'text');
  if (!get || !make || !run || others.length > 0 || !program || !output)
    throw new Error(`A section of clients.md needs three commands, a program and its output:\n${text}`);
  return { get, make, run, program, output };
};

/** Heading → its section. */
export const readClientsPage = (): Map<string, Section> => {
  const page = readFileSync(new URL('../../docs/api/clients.md', import.meta.url), 'utf8');
  const sections = page.split(/^## /m).slice(1);
  return new Map(
    sections
      .map((section) => [section.slice(0, section.indexOf('\n')), section] as const)
      .filter(([, section]) => section.includes('```console'))
      .map(([heading, section]) => [heading, readSection(section)]),
  );
};
