/** Structured log lines, one JSON object each. Never a key, a token or a body. */

type Fields = Record<string, string | number | boolean | null | undefined>;

const write =
  (level: 'info' | 'warn' | 'error') =>
  (message: string, fields: Fields = {}) =>
    process.stdout.write(
      `${JSON.stringify({ level, time: new Date().toISOString(), message, ...fields })}\n`,
    );

export const log = { info: write('info'), warn: write('warn'), error: write('error') };
