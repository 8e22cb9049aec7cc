/**
 * `npm run simulate`: plays the service under seeds, and prints failing ones with their shortest history.
 * Ends with exit code 1 if a seed fails.
 */
import { fork } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bundle } from './code/bundle.ts';
import { compile } from './code/instance.ts';
import { templateForWorlds } from './code/template.ts';
import { type Plan, planOf } from './plan/plan.ts';
import { changedTemplate, planted } from './planted.ts';
import { type Outcome, type PlayOptions, play } from './play.ts';
import { shrink, timelineOf } from './shrink.ts';

const usage = `npm run simulate -- [options]

  --seed 7            plays one seed, and prints the hash of its history
  --seeds 200         plays the seeds from --from (1) on
  --hours 1           plays new seeds for so long
  --days 30           over so many virtual days, with requests on the first one
  --jobs 2            plays in so many processes
  --trace             prints every line of the history
  --planted [name]    plays with each planted fault, or with those whose names contain the text`;

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string' },
    from: { type: 'string', default: '1' },
    step: { type: 'string', default: '1' },
    hours: { type: 'string' },
    days: { type: 'string', default: '0' },
    jobs: { type: 'string', default: '1' },
    trace: { type: 'boolean', default: false },
    planted: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const days = Number(values.days);

const hourMs = 3_600_000;

/** Milliseconds of processor time of this process. */
const cpuTime = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(1);

/** What was played in this process. `cpuMs`: processor time of the plays. */
const played = { seeds: 0, tasks: 0, virtualMs: 0, cpuMs: 0 };

const line = (seed: number, outcome: Outcome, cpuMs: number): string => {
  const { hash, tasks, calls, struck, violations, virtualMs } = outcome;
  const hours = (virtualMs / hourMs).toFixed(1);
  const verdict = violations.length === 0 ? 'holds' : `FAILS: ${violations[0]?.rule}`;
  return `seed ${seed}  ${hash}  ${hours} h, ${tasks} tasks, ${calls} calls, ${struck.length} faults, ${(cpuMs / 1000).toFixed(2)} s  ${verdict}`;
};

/** The speed of this process, per second and minute of processor time. */
const speed = (): string => {
  const { seeds, tasks, virtualMs, cpuMs } = played;
  const perSecond = Math.round((1000 * tasks) / cpuMs);
  const hours = Math.round((60_000 * virtualMs) / hourMs / cpuMs);
  return `${seeds} seeds, ${tasks} tasks, ${Math.round(virtualMs / hourMs)} virtual hours in ${seconds(cpuMs)} s of processor time: ${perSecond} tasks a second, ${hours} virtual hours a minute`;
};

/** Plays a plan. Undefined, and prints the error, if the play rejects. */
const outcomeOf = (plan: Plan, options: PlayOptions): Promise<Outcome | undefined> =>
  play(plan, options).catch((error) => {
    console.log(`seed ${plan.seed}  FAILS: the play ends with an error`, error);
    return undefined;
  });

/** Plays a seed, and prints the shortest history if it fails. Returns whether everything holds. */
const playOne = async (seed: number, options: PlayOptions): Promise<boolean> => {
  const started = cpuTime();
  const plan = planOf(seed, days);
  const outcome = await outcomeOf(plan, options);
  if (!outcome) return false;
  const cpuMs = cpuTime() - started;
  played.seeds += 1;
  played.tasks += outcome.tasks;
  played.virtualMs += outcome.virtualMs;
  played.cpuMs += cpuMs;
  console.log(line(seed, outcome, cpuMs));
  if (outcome.violations.length === 0) return true;
  const { trace: _trace, ...quiet } = options;
  const shrunk = await shrink(plan, quiet).catch((error) => void console.log(error));
  if (shrunk) console.log(timelineOf(shrunk));
  return false;
};

const playAll = async (options: PlayOptions): Promise<boolean> => {
  const step = Number(values.step);
  const end = values.hours ? performance.now() + Number(values.hours) * hourMs : Number.POSITIVE_INFINITY;
  const first = values.seed ? Number(values.seed) : Number(values.from);
  const last = values.seed
    ? first
    : values.hours
      ? Number.POSITIVE_INFINITY
      : first - ((first - 1) % step) + Number(values.seeds) - 1;
  let holds = true;
  for (let seed = first; seed <= last && performance.now() < end; seed += step) {
    holds = (await playOne(seed, options)) && holds;
  }
  console.log(speed());
  return holds;
};

/** Plays with each planted fault until it is found. Returns whether all are found. */
const playPlanted = async (name: string, template: object): Promise<boolean> => {
  const most = Number(values.seeds ?? 1000);
  let isComplete = true;
  for (const fault of planted.filter((it) => it.name.includes(name))) {
    const script = compile(await bundle(fault.patches));
    const changed = changedTemplate(template, fault);
    let found: string | undefined;
    for (let seed = 1; seed <= most && found === undefined; seed++) {
      const outcome = await outcomeOf(planOf(seed, fault.days), {
        template: changed,
        script,
        stopsEarly: true,
      });
      const violation = outcome ? outcome.violations[0] : { rule: 'the play ends with an error' };
      if (violation) found = `| ${fault.name} | ${seed} | ${violation.rule} |`;
    }
    isComplete &&= found !== undefined;
    console.log(found ?? `| ${fault.name} | not found in ${most} | |`);
  }
  return isComplete;
};

/** Plays the seeds in several processes, each every n-th of them. */
const playInProcesses = async (jobs: number): Promise<boolean> => {
  const passed = process.argv.slice(2);
  const codes = Array.from({ length: jobs }, (_, n) => {
    const from = String(Number(values.from) + n);
    const more = ['--jobs', '1', '--from', from, '--step', String(jobs)];
    const child = fork(fileURLToPath(import.meta.url), [...passed, ...more]);
    return new Promise<number>((resolve) => child.on('exit', (code) => resolve(code ?? 1)));
  });
  return (await Promise.all(codes)).every((code) => code === 0);
};

if (values.help || (!values.seed && !values.seeds && !values.hours && values.planted === undefined)) {
  console.log(usage);
} else {
  const started = performance.now();
  const jobs = Number(values.jobs);
  if (values.hours && values.from === '1') values.from = String(randomInt(1_000_000_000));
  const template = await templateForWorlds();
  const holds =
    values.planted !== undefined
      ? await playPlanted(values.planted, template)
      : jobs > 1
        ? await playInProcesses(jobs)
        : await playAll({
            template,
            script: compile(await bundle()),
            ...(values.trace && { trace: (text: string) => console.log(text) }),
          });
  if (values.step === '1')
    console.log(
      `${holds ? 'Everything holds' : 'Something fails'}, ${seconds(performance.now() - started)} s`,
    );
  process.exitCode = holds ? 0 : 1;
}
