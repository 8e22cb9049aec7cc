/**
 * The embedded Parameter Store: each parameter of the template is a file in DATA_DIR, which people may edit
 * too.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import type { LocalTemplate } from '../template.ts';

const GetParameter = v.object({ Name: v.string() });
const PutParameter = v.object({ Name: v.string(), Value: v.string() });

/** Each answer is undefined if the parameter does not exist; AWS answers ParameterNotFound then. */
export type ParameterStore = {
  get: (input: unknown) => { Parameter: { Name: string; Value: string } } | undefined;
  put: (input: unknown) => { Version: number } | undefined;
};

export const openParameters = (template: LocalTemplate, dataDir: string): ParameterStore => {
  const byName = new Map(
    template
      .all('AWS::SSM::Parameter')
      .map(({ name, metadata, properties }) => [
        name,
        { file: join(dataDir, String(metadata.File)), initial: String(properties.Value) },
      ]),
  );
  return {
    get: (input) => {
      const { Name } = v.parse(GetParameter, input);
      const found = byName.get(Name);
      if (!found) return undefined;
      const Value = existsSync(found.file) ? readFileSync(found.file, 'utf8') : found.initial;
      return { Parameter: { Name, Value } };
    },
    put: (input) => {
      const { Name, Value } = v.parse(PutParameter, input);
      const found = byName.get(Name);
      if (!found) return undefined;
      // A new file takes the place of the old one at once, so that no reader sees half of it.
      writeFileSync(`${found.file}.new`, Value);
      renameSync(`${found.file}.new`, found.file);
      return { Version: 1 };
    },
  };
};
