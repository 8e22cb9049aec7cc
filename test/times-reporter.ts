/** A reporter of vitest: prints the time of each rung, and the slowest files. */
import type { Reporter, TestModule } from 'vitest/node';
import { timesOf } from './times.ts';

const timeOf = (module: TestModule) => {
  // Without the time in which a worker is prepared, which vitest counts for each of its files from its start.
  const { collectDuration, setupDuration, duration } = module.diagnostic();
  return {
    rung: module.project.name,
    file: module.relativeModuleId,
    processorMs: module.meta().processorMs ?? 0,
    ms: collectDuration + setupDuration + duration,
  };
};

export default class TimesReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    process.stdout.write(`\n${timesOf(modules.map(timeOf)).join('\n')}\n`);
  }
}
