/**
 * `npm run help` prints the commands of this repository in groups. `npm run <command> -- --help` explains one
 * of them.
 */
import { offerHelp } from '../help.ts';

type Group = { title: string; commands: Record<string, string> };

/**
 * Every script of package.json, by the people who need it, with one line each. `npm run docs` writes the same
 * into CONTRIBUTING.md.
 */
export const groups: readonly Group[] = [
  {
    title: 'Everybody',
    commands: {
      start:
        'runs the whole service on this machine, with invented results; `-- --live` asks the real engines',
      test: 'runs unit, contract, corpus, workflow, simulation, infra, integration and e2e tests, offline',
      check: 'checks types and style, and runs the fast tests; must pass before you push',
      fix: 'formats the code, and makes safe lint fixes',
      help: 'prints this list',
    },
  },
  {
    title: 'Who changes how pages are read',
    commands: {
      'test:corpus': 'reads the invented pages of `test/corpus` and compares their golden files',
      'corpus:add': 'writes the golden file of a corpus page: `npm run corpus:add <engine>/<device>/<case>`',
      'test:pages':
        'reads and scores saved pages of the engines, which are not part of the repository; fails without them',
      'bench:parse': 'measures the time to read a page, against the bare tree of its HTML; `-- <engine>`',
      'bench:drift':
        'measures what is still found on pages with other names and more boxes; `-- [seed] [--detail]`',
      'bench:hostile':
        'measures the reading of pages that are made to keep the reader busy; `-- <engine> [--seed 7]`',
      rules: 'prints the marks that the readers need on saved pages of one source only; `-- <engine>`',
    },
  },
  {
    title: 'Who changes the interface, the data or the documents',
    commands: {
      invoke: 'calls one operation, or a state, with its event: `npm run invoke -- serp/create-google-task`',
      openapi: 'writes `test/contract/openapi.json` and the tables of `docs/api`',
      docs: 'writes all tables of the documents: `docs/api`, `docs/settings.md` and CONTRIBUTING',
      'docs:kinds': 'writes the table of kinds in `docs/api/search.md` from the saved pages of the engines',
      'docs:pictures': 'writes the pictures of README, from the console that `npm start` serves',
      'data:places': 'writes the table of places from its packages',
      'data:engines': 'writes the countries and languages of the engine list',
      'lint:openapi':
        'checks the OpenAPI document with Spectral and Redocly, which it installs in `.clients/`',
      'test:reference':
        'compares answers with a service on FastAPI, runs the snippets, uses the clients of six generators; needs Python 3.11, and names what it does not run without Java, Maven or Go',
      'test:clients':
        'uses clients of Serper, SearXNG, SerpApi and DataForSEO from npm and PyPI, and names what it does not run without Python 3.11 or a registry',
    },
  },
  {
    title: 'Who changes the code: one rung of the tests',
    commands: {
      'test:unit': 'rules, shapes, responses',
      'test:contract': 'the interface, names, imports, documents',
      'test:workflow': 'order, retry, catch and choice of the state machines',
      'test:simulation': 'the service in one process, with a clock and faults that a seed decides',
      'test:infra': 'resources, grants, alarms, bundles',
      'test:integration': 'conditions, indexes, cursors, the network, the browser',
      'test:e2e': 'guarantees that clients notice, on the embedded stack',
      'test:crash': 'kills the stack at every named point and starts it again',
      'test:refusals': 'makes each store refuse calls for two minutes while searches run',
      'test:emulator': 'deploys the stack to an emulator of AWS, tests it, deploys again; needs Python 3.11',
      simulate:
        'plays the service under seeds, with faults, and checks what must always hold; `-- --seed 7 --days 30`',
      'test:mutation': 'changes the code and counts the changes that no test notices',
    },
  },
  {
    title: 'Who deploys',
    commands: {
      synth: 'writes the templates of all stacks; `-- --context stage=prod`',
      diff: 'shows the differences from what is deployed; `-- --context stage=prod`',
      deploy:
        'deploys the data, the service and its monitoring to AWS, after it has shown what it would remove; `-- --context stage=prod`',
      verify: 'checks the running service, or a deployed one with `-- --stack <name>`',
      'deploy:localstack': 'deploys the stack to an emulator at `AWS_ENDPOINT_URL`',
      'lint:template': 'runs cfn-lint on every template of every stage; needs Python 3.11',
    },
  },
  {
    title: 'Who operates: on the running service, or with `-- --stack <name>` on a deployed one',
    commands: {
      doctor: 'checks what the service needs, and says what to do about each fault',
      user: 'creates, lists, disables, limits, exports and erases users; replaces keys and webhook secrets',
      secret: 'lists, sets, clears and rotates the secrets of a deployed stack',
      fetchers: 'shows and sets the order, the proxies and the rates of fetchers',
      tasks: 'lists dead tasks and runs them again; reads stored pages again',
      deliveries: 'lists parked webhooks and sends them again',
      project: 'imports, lists, shows and deletes projects and their keywords; `-- --url <address>`',
      mcp: 'serves the tools for agents on standard input and output',
    },
  },
  {
    title: 'Who measures',
    commands: {
      cost: 'dollars of 1,000 searches; `-- --detail` prints every count and price, `-- --save` writes figures and documents',
      capacity: 'the first limit that a load reaches, and what its month costs; `-- --searches 1e9`',
      bench: 'tasks per second, from POST to success',
      'bench:load': '10,000 tasks against goals',
      'bench:fair': 'a single task while a thousand of another user wait',
      'bench:keywords': '10,000 keywords from the first POST to the last result',
      'bench:reporting': 'the lists of a project of 10,000 keywords',
      'bench:plan': 'processor time to begin the crawl of a tracked search',
      'bench:cold': 'cold start of each function',
      'bench:start': 'start of the embedded stack, cold and warm',
    },
  },
];

/** How a script is called. npm knows `start` and `test` without `run`. */
const callOf = (script: string): string =>
  script === 'start' || script === 'test' ? `npm ${script}` : `npm run ${script}`;

/** The groups as tables in Markdown. */
export const commandTables = (): string =>
  groups
    .map(({ title, commands }) => {
      const rows = Object.entries(commands).map(([script, about]) => `| \`${callOf(script)}\` | ${about} |`);
      return [`**${title}**`, '', '| command | what it does |', '|---|---|', ...rows, ''].join('\n');
    })
    .join('\n');

if (import.meta.main) {
  offerHelp();
  const calls = groups.flatMap(({ commands }) => Object.keys(commands).map(callOf));
  const width = Math.max(...calls.map((call) => call.length));
  for (const { title, commands } of groups) {
    console.log(`\n${title.replaceAll('`', '')}`);
    for (const [script, about] of Object.entries(commands)) {
      console.log(`  ${callOf(script).padEnd(width)}  ${about.replaceAll('`', '')}`);
    }
  }
  console.log('\nnpm run <command> -- --help explains a command. CONTRIBUTING.md has the recipes.');
}
