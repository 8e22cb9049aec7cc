/**
 * Runs the scripts of its arguments with `--help`, one after the other, in one process: they share the
 * modules that they import. Prints a line of JSON for each.
 */
import { resolve } from 'node:path';

/** What `process.exit` throws here: a script that has printed its help does not continue. */
class Exit extends Error {
  readonly code: unknown;

  constructor(code: unknown) {
    super('A script has ended the process.');
    this.code = code;
  }
}

const { exit, argv, stdout } = process;
const write = stdout.write.bind(stdout);
process.exit = (code) => {
  throw new Exit(code);
};

for (const file of argv.slice(2)) {
  let printed = '';
  stdout.write = (text: string | Uint8Array) => {
    printed += text;
    return true;
  };
  process.argv = [process.execPath, file, '--help'];
  const end = await import(resolve(file)).then(
    () => 'it did not end the process',
    (error: unknown) => (error instanceof Exit ? error.code : String(error)),
  );
  write(`${JSON.stringify({ file, printed, end })}\n`);
}
exit.call(process, 0);
