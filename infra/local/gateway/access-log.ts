/**
 * The access log of the embedded API Gateway: one line for each response, in the format of the template's
 * stage.
 */
import * as v from 'valibot';
import type { LocalTemplate } from '../template.ts';

/** The facts about a finished request, by their names in the gateway's `$context`. */
export type AccessContext = Record<string, string | number | undefined>;

const Stage = v.object({ AccessLogSetting: v.optional(v.object({ Format: v.string() })) });

const escaped = (value: string | number): string => JSON.stringify(String(value)).slice(1, -1);

/** Returns a function that writes a line to standard output, where the functions' log lines go too. */
export const readAccessLog = (template: LocalTemplate): ((context: AccessContext) => void) => {
  const formats = template
    .all('AWS::ApiGateway::Stage')
    .flatMap(({ properties }) => v.parse(Stage, properties).AccessLogSetting?.Format ?? []);
  return (context) => {
    for (const format of formats) {
      const line = format.replace(/\$context\.([\w.]+)/g, (_, name: string) => escaped(context[name] ?? '-'));
      process.stdout.write(`${line}\n`);
    }
  };
};
