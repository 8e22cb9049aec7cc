/** Reads the arguments of a command. */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { takenByNpm } from '../npm-options.ts';

const parse = <Config extends ParseArgsConfig>(config: Config, usage: string) => {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${usage}`, { cause: error });
  }
};

/** Whether an option that takes one value has several different ones: the last one would count. */
const isAmbiguous = (config: ParseArgsConfig, args: readonly string[], name: string): boolean => {
  if (config.options?.[name]?.multiple) return false;
  const { tokens } = parseArgs({ ...config, args, tokens: true });
  const values = tokens.flatMap((token) =>
    token.kind === 'option' && token.name === name ? [token.value] : [],
  );
  return new Set(values).size > 1;
};

/** Refuses what would let the command do something else than it was told. */
const check = (config: ParseArgsConfig, values: Readonly<Record<string, unknown>>, usage: string): void => {
  const names = Object.keys(config.options ?? {});
  // Usually a variable of the shell that is not set: --stack "$STACK".
  const empty = names.find((name) => [values[name]].flat().includes(''));
  if (empty) throw new Error(`The value of --${empty} is empty.\n${usage}`);
  const args = config.args ?? process.argv.slice(2);
  const twice = names.find((name) => isAmbiguous(config, args, name));
  if (twice) throw new Error(`--${twice} is given twice.\n${usage}`);
  const missing = names.filter((name) => !args.some((arg) => arg.startsWith(`--${name}`)));
  const taken = takenByNpm(missing);
  if (taken) throw new Error(`${taken}\n${usage}`);
};

/**
 * The values and the other arguments, as `parseArgs` gives them.
 * @throws with a sentence and the usage if an option is unknown, has no value, an empty value or two values,
 * or was taken by npm.
 */
export const readArguments = <const Config extends ParseArgsConfig>(config: Config, usage: string) => {
  const sentence = `Usage: ${usage}`;
  const parsed = parse(config, sentence);
  check(config, parsed.values, sentence);
  return parsed;
};

/** What a command reads. If that throws, prints the sentence and ends the process. */
export const orExit = <Read>(read: () => Read): Read => {
  try {
    return read();
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exit(1);
  }
};
