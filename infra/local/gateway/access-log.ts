/** Plays the gateway's access log: a line for each answer, in the form that the template's stage gives it. */
import * as v from 'valibot';
import type { LocalTemplate } from '../template.ts';

/** What is known of a request in the end, by the names of the gateway's `$context`. */
export type AccessContext = Record<string, string | number | undefined>;

const Stage = v.object({ AccessLogSetting: v.optional(v.object({ Format: v.string() })) });

const quoteless = (value: string | number): string => JSON.stringify(String(value)).slice(1, -1);

/** Answers how to write a line, which goes where the functions' lines go. */
export const readAccessLog = (template: LocalTemplate): ((context: AccessContext) => void) => {
  const formats = template
    .all('AWS::ApiGateway::Stage')
    .flatMap(({ properties }) => v.parse(Stage, properties).AccessLogSetting?.Format ?? []);
  return (context) => {
    for (const format of formats) {
      const line = format.replace(/\$context\.([\w.]+)/g, (_, name: string) =>
        quoteless(context[name] ?? '-'),
      );
      process.stdout.write(`${line}\n`);
    }
  };
};
