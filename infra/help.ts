/** `--help` for the scripts of package.json. */
import { readFileSync } from 'node:fs';

/** The text of the comment at the top of a source file. */
const commentOf = (source: string): string =>
  (/^\/\*\*(.*?)\*\//s.exec(source)?.[1] ?? '')
    .split('\n')
    .map((line) => line.replace(/^\s*\*?\s?/, '').trimEnd())
    .join('\n')
    .trim();

/**
 * If the options of the process contain `--help` or `-h`: prints the comment at the top of the script and
 * `usage`, and ends the process.
 */
export const offerHelp = (usage?: string): void => {
  const [, script, ...options] = process.argv;
  if (!script || !options.some((option) => option === '--help' || option === '-h')) return;
  console.log(commentOf(readFileSync(script, 'utf8')));
  if (usage) console.log(`\nUsage: ${usage}`);
  process.exit(0);
};
