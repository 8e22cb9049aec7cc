/** The arguments of `npm run project`, and what is wrong with them. */
import { readArguments } from './read-arguments.ts';
import { trackerNames } from './trackers/read-export.ts';

/** @throws with a sentence and the usage, as `readArguments` does. */
export const readProjectArguments = (usage: string) =>
  readArguments(
    {
      allowPositionals: true,
      options: {
        url: { type: 'string' },
        name: { type: 'string' },
        domain: { type: 'string' },
        competitor: { type: 'string', multiple: true },
        frequency: { type: 'string' },
        project: { type: 'string' },
        from: { type: 'string' },
        country: { type: 'string' },
        language: { type: 'string' },
        device: { type: 'string' },
        'skip-bad': { type: 'boolean', default: false },
        'dry-run': { type: 'boolean', default: false },
      },
    },
    usage,
  );
export type Values = ReturnType<typeof readProjectArguments>['values'];

type Option = keyof Values;

const ofNewProject = ['name', 'domain', 'competitor', 'frequency'] as const satisfies Option[];
const ofTracker = ['country', 'language', 'device', 'skip-bad'] as const satisfies Option[];

const listed = (options: readonly Option[]): string => options.map((each) => `--${each}`).join(', ');

const faultOfImport = (file: string | undefined, values: Values): string | undefined => {
  const given = (options: readonly Option[]) => options.filter((each) => values[each]);
  const missing = (['name', 'domain'] as const).filter((each) => !values[each]);
  if (file === undefined) return 'The file to import is missing.';
  if (values.from !== undefined && !trackerNames.some((name) => name === values.from))
    return `--from must be ${trackerNames.join(', ')}, not ${values.from}.`;
  if (values.from === undefined && given(ofTracker).length > 0)
    return `Without --from, there is no ${listed(given(ofTracker))}: the columns of the file say it.`;
  if (values.project !== undefined && given(ofNewProject).length > 0)
    return `${listed(given(ofNewProject))} are for a new project, and --project names one that exists.`;
  if (values.project === undefined && missing.length > 0)
    return `Missing: ${listed(missing)} of the new project, or --project with the id of one that exists.`;
  return undefined;
};

/** What is wrong with the arguments, in a sentence; undefined if nothing is. */
export const faultIn = ([verb, subject, ...rest]: readonly string[], values: Values): string | undefined => {
  if (verb === undefined) return 'Arguments are missing.';
  if (rest.length > 0) return `Unknown arguments: ${rest.join(' ')}`;
  if (verb === 'import') return faultOfImport(subject, values);
  if (!['list', 'show', 'delete'].includes(verb)) return `Unknown arguments: ${verb}`;
  const { url: _, ...others } = values;
  const extra = (Object.keys(others) as (keyof typeof others)[]).filter((each) => others[each]);
  if (extra.length > 0) return `${verb} does not take ${listed(extra)}.`;
  if (verb === 'list') return subject === undefined ? undefined : `Unknown arguments: ${subject}`;
  return /^\d{1,16}$/.test(subject ?? '') ? undefined : `${verb} needs the id of a project.`;
};
