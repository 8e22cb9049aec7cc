/**
 * `npm run docs` writes the tables of the documents. Those of `docs/api` have operations, fields, parameters,
 * words and limits, from the route table, the OpenAPI document and the limits in the code, between the lines
 * `<!-- table: <what> -->` and `<!-- end -->`. CONTRIBUTING has the commands, `docs/settings.md` the
 * settings.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import * as v from 'valibot';
import { documentedRoutes } from '../../lib/api/routes.ts';
import { engineNames, engines } from '../../lib/model/engine.ts';
import { errorWords, sourceWords, validationWords } from '../../lib/model/error-words.ts';
import { details, failures } from '../../lib/reference/failures.ts';
import { webhookHeaders } from '../../lib/reference/webhooks.ts';
import { kindsOf } from '../../lib/sandbox/engines.ts';
import { beginCommand } from './begin-command.ts';
import { followed, found, objectOf, paths, schemaOf } from './docs/schema.ts';
import { fewWords, typeOf } from './docs/type-text.ts';
import { commandTables } from './help.ts';
import { limits } from './limits.ts';
import { withPart } from './marked-part.ts';
import { settingsTable } from './settings-table.ts';

beginCommand();

const folder = new URL('../../docs/api/', import.meta.url);

/** A cell of a table in Markdown. */
const cell = (text: string): string => text.replace(/\s*\n\s*/g, ' ').replaceAll('|', '\\|');

const table = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');

/**
 * A description in a cell. The words of an enumeration follow it, unless there are many: then the page has a
 * table of them.
 */
const meaningIn = (description: string): string => {
  const [text = '', list = ''] = description.split(':\n\n- ');
  const meanings = list.split('\n- ').filter((each) => each !== '');
  return meanings.length === 0 || meanings.length > fewWords ? text : `${text}: ${meanings.join('; ')}`;
};

const textOf = (value: unknown): string => `\`${JSON.stringify(value)}\``;

/**
 * The fields of an object. A word after the path that begins with `-` leaves out a field, any other words
 * choose the fields.
 */
const fieldTable = (path: string, ...choice: string[]): string => {
  const { properties = {}, required = [] } = objectOf(found(path));
  const left = choice.filter((each) => each.startsWith('-')).map((each) => each.slice(1));
  const chosen = choice.filter((each) => !each.startsWith('-'));
  const unknown = [...left, ...chosen].filter((name) => !(name in properties));
  if (unknown.length > 0) throw new Error(`${path} has no field ${unknown.join(', ')}`);
  const names = (chosen.length > 0 ? chosen : Object.keys(properties)).filter((name) => !left.includes(name));
  return table(
    ['field', 'type', 'meaning'],
    names.map((name) => {
      const field = schemaOf(properties[name]);
      const isDefault = 'default' in field;
      const notes = [
        ...(required.includes(name) && !isDefault ? ['required'] : []),
        ...(isDefault ? [`default ${textOf(field.default)}`] : []),
      ];
      return [
        `\`${name}\``,
        [typeOf(field), ...notes].filter((text) => text !== '').join(', '),
        meaningIn(field.description ?? followed(field).description ?? ''),
      ];
    }),
  );
};

/** As `fieldTable`, for a response: what is required and what has a default is no matter for its reader. */
const replyTable = (path: string, ...choice: string[]): string =>
  fieldTable(path, ...choice)
    .split('\n')
    .map((line) => line.replace(/^(\| `\w+` \| .*?), (?:required|default `[^`]*`) \|/, '$1 |'))
    .join('\n');

const parameterTable = (operationId: string): string => {
  const operation = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .find((each) => each.operationId === operationId);
  if (!operation) throw new Error(`There is no operation ${operationId}`);
  return table(
    ['parameter', 'in', 'type', 'meaning'],
    operation.parameters
      .filter((each) => each.in !== 'path')
      .map((each) => {
        const schema = schemaOf(each.schema);
        const notes =
          'default' in schema && schema.default !== '' ? [`default ${textOf(schema.default)}`] : [];
        return [
          `\`${each.name}\``,
          each.in,
          [typeOf(schema), ...notes].join(', '),
          meaningIn(each.description),
        ];
      }),
  );
};

/**
 * The words of an enumeration: of a component, or of a field of one. Its description explains each in a line.
 */
const wordTable = (path: string): string => {
  const words = [...(found(path).description ?? '').matchAll(/^- (`\w+`): (.*)$/gm)];
  if (words.length === 0) throw new Error(`The description of ${path} has no words`);
  return table(
    ['word', 'meaning'],
    words.map(([, word = '', text = '']) => [word, text]),
  );
};

/** The operations of the areas, in the order of the route table. */
const operationTable = (...areas: string[]): string =>
  table(
    ['request', 'what it does'],
    documentedRoutes
      .filter(([name]) => areas.includes(name.split('/')[0] ?? ''))
      .map(([, { method, path, summary }]) => [`\`${method} ${path}\``, summary]),
  );

const errorTable = (): string =>
  table(
    ['first word', 'cause', 'what to do'],
    Object.entries(errorWords).map(([word, { cause, action }]) => [`\`${word}\``, cause, action]),
  );

/** The statuses of failures, each with its usual meaning and an example. */
const statusTable = (): string =>
  table(
    ['status', 'meaning', '`detail`, for example'],
    Object.entries(failures).map(([status, meaning]) => {
      const detail = details[Number(status) as keyof typeof details];
      return [status, meaning, typeof detail === 'string' ? detail : 'a list of errors'];
    }),
  );

/** The headers of a delivery. */
const webhookTable = (): string =>
  table(
    ['header', 'meaning'],
    webhookHeaders.map(({ name, description }) => [`\`${name}\``, description]),
  );

const LimitKind = v.picklist(['requests', 'sizes', 'times']);

const limitTable = (kind = ''): string =>
  table(
    ['what', 'limit', 'beyond it'],
    limits[v.parse(LimitKind, kind)].map(({ what, limit, beyond }) => [what, limit, beyond]),
  );

/** The words of a query that add a block to the first page of the sandbox. */
const triggerTable = (): string => {
  const kinds = engineNames.map((engine) => kindsOf[engine] ?? []);
  const types = [...new Set(kinds.flat().map(({ type }) => type))];
  return table(
    ['block', ...engineNames.map((engine) => engines[engine].title)],
    types.map((type) => [
      `\`${type}\``,
      ...kinds.map((ofEngine) =>
        [...new Set(ofEngine.filter((kind) => kind.type === type).flatMap(({ triggers }) => triggers))]
          .map((trigger) => `\`${trigger}\``)
          .join(', '),
      ),
    ]),
  );
};

const makers: Record<string, (...options: string[]) => string> = {
  operations: operationTable,
  parameters: parameterTable,
  request: fieldTable,
  reply: replyTable,
  words: wordTable,
  'error words': errorTable,
  'source words': () =>
    table(
      ['word', 'what happened'],
      Object.entries(sourceWords).map(([word, text]) => [`\`${word}\``, text]),
    ),
  'validation words': () =>
    table(
      ['`type`', 'meaning'],
      Object.entries(validationWords).map(([word, text]) => [`\`${word}\``, text]),
    ),
  statuses: statusTable,
  limits: limitTable,
  triggers: triggerTable,
  'webhook headers': webhookTable,
};

const made = (what: string): string => {
  const maker = Object.keys(makers).find((name) => what === name || what.startsWith(`${name} `));
  if (!maker) throw new Error(`There is no table "${what}"`);
  const options = what
    .slice(maker.length)
    .split(' ')
    .filter((each) => each !== '');
  return makers[maker]?.(...options) ?? '';
};

/** The text of a page with all its tables. */
export const withTables = (text: string): string =>
  text.replace(
    /^(<!-- table: ([^\n]+) -->\n).*?^(<!-- end -->)$/gms,
    (_, begin: string, what: string, end: string) => `${begin}\n${made(what)}\n\n${end}`,
  );

/** The other documents with a generated part. */
export const parts = [
  { file: 'CONTRIBUTING.md', marker: 'commands', make: commandTables },
  { file: 'docs/settings.md', marker: 'settings', make: settingsTable },
] as const;

/** Writes the tables of all pages of the reference. */
export const writeTables = (): void => {
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.md'))) {
    const file = new URL(name, folder);
    writeFileSync(file, withTables(readFileSync(file, 'utf8')));
  }
};

if (import.meta.main) {
  writeTables();
  for (const { file, marker, make } of parts) {
    const url = new URL(`../../${file}`, import.meta.url);
    writeFileSync(url, withPart(readFileSync(url, 'utf8'), file, marker, make()));
  }
}
