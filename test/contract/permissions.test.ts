/**
 * docs/deploy.md gives an operator the permissions for each command. They contain every request to AWS that
 * the files of the command send themselves, not those of the service's own rooms in `lib`.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { read, root } from './documents.ts';

const rows = (read('docs/deploy.md').split('**Permissions of the person who deploys:**')[1] ?? '')
  .split('\n\n')[1]
  ?.split('\n')
  .map((line) => line.split(' | '))
  .slice(2);

/** The actions that a cell names: `sqs:ListQueues` and, of the same service, `GetQueueAttributes`. */
const actionsIn = (cell: string): string[] => {
  let service = '';
  return [...cell.matchAll(/`(?:([a-z\d]+):)?([A-Z][A-Za-z]+)`/g)].map(([, named, action]) => {
    service = named ?? service;
    return `${service}:${action}`;
  });
};

/** Command → the actions of its rows. A row may mean the same as the row before it. */
const documented = new Map<string, string[]>();
for (const [n, [commands = '', cell = '']] of (rows ?? []).entries()) {
  const same = cell.startsWith('the same') ? (rows?.[n - 1]?.[1] ?? '') : '';
  for (const [, name = ''] of commands.matchAll(/`npm run ([\w]+)`/g)) {
    documented.set(name, [...(documented.get(name) ?? []), ...actionsIn(same + cell)]);
  }
}
const ofStack = actionsIn(rows?.find(([commands]) => commands?.includes('with `--stack`'))?.[1] ?? '');

/** The files of `infra` that a file imports, and theirs. Those of the embedded stack make its emulators. */
const filesOf = (file: string, found = new Set<string>()): Set<string> => {
  if (found.has(file) || !file.startsWith('infra/') || file.startsWith('infra/local/')) return found;
  found.add(file);
  for (const [, path = ''] of read(file).matchAll(/ from '(\.[^']+\.ts)'/g)) {
    filesOf(join(dirname(file), path), found);
  }
  return found;
};

/** Requests whose permission has another name. */
const otherNames: Record<string, string> = { 's3:HeadBucket': 's3:ListBucket' };

const requestsOf = (file: string): string[] =>
  [...read(file).matchAll(/import (?:\{([^}]*)\}) from '@aws-sdk\/client-([\w-]+)'/g)].flatMap(
    ([, names = '', client = '']) =>
      [...names.matchAll(/\b(\w+)Command\b|\bpaginate(\w+)/g)].map(([, command, paged]) => {
        const action = `${client.replaceAll('-', '')}:${command ?? paged}`;
        return otherNames[action] ?? action;
      }),
  );

const commands = [...documented.keys()].filter((name) => existsSync(join(root, `infra/commands/${name}.ts`)));

test('the table has the commands that operators use', () => {
  expect(commands.length).toBeGreaterThan(7);
  expect(ofStack).toEqual(['cloudformation:DescribeStacks']);
});

test.each(commands)('docs/deploy.md has the permissions that npm run %s needs', (name) => {
  const sent = [...filesOf(`infra/commands/${name}.ts`)].flatMap(requestsOf);

  expect(sent).not.toEqual([]);
  expect([...(documented.get(name) ?? []), ...ofStack]).toEqual(expect.arrayContaining(sent));
});
