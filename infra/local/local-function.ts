/** A function of the template, as the embedded stack runs it. */
import * as v from 'valibot';
import type { LocalTemplate } from './template.ts';

const FunctionProperties = v.object({
  Timeout: v.optional(v.number(), 3),
  MemorySize: v.optional(v.number(), 128),
  Architectures: v.optional(v.array(v.picklist(['arm64', 'x86_64'])), ['x86_64']),
  LoggingConfig: v.optional(v.object({ SystemLogLevel: v.optional(v.string(), 'INFO') }), {}),
  Environment: v.optional(
    v.object({ Variables: v.optional(v.record(v.string(), v.union([v.string(), v.number()])), {}) }),
    {},
  ),
});

export type LocalFunction = {
  name: string;
  arn: string;
  /** Source file of the handler, relative to the project's folder. */
  entry: string;
  timeoutMs: number;
  memoryMb: number;
  architecture: 'arm64' | 'x86_64';
  /** Whether Lambda itself logs START, END and REPORT lines for each call. */
  isReported: boolean;
  environment: Record<string, string>;
};

/**
 * The template's functions. Skips functions without an entry: they belong to CDK, and the embedded stack does
 * not call them.
 */
export const readFunctions = (template: LocalTemplate): LocalFunction[] =>
  template.all('AWS::Lambda::Function').flatMap(({ name, arn, metadata, properties }) => {
    if (typeof metadata.Entry !== 'string') return [];
    const { Timeout, MemorySize, Architectures, LoggingConfig, Environment } = v.parse(
      FunctionProperties,
      properties,
    );
    const environment = Object.fromEntries(
      Object.entries(Environment.Variables ?? {}).map(([key, value]) => [key, String(value)]),
    );
    const architecture = Architectures[0] ?? 'x86_64';
    return [
      {
        name,
        arn,
        entry: metadata.Entry,
        timeoutMs: Timeout * 1000,
        memoryMb: MemorySize,
        architecture,
        isReported: LoggingConfig.SystemLogLevel !== 'WARN',
        environment,
      },
    ];
  });

/**
 * The union of the functions' environments, because all functions share the environment of this process.
 * Throws if two functions have different values for one name.
 */
export const unionOfEnvironments = (functions: LocalFunction[]): Record<string, string> => {
  const union = new Map<string, { value: string; entry: string }>();
  for (const { entry, environment } of functions) {
    for (const [name, value] of Object.entries(environment)) {
      const former = union.get(name);
      if (former && former.value !== value) {
        throw new Error(`${former.entry} and ${entry} have different values of ${name}`);
      }
      union.set(name, { value, entry });
    }
  }
  return Object.fromEntries([...union].map(([name, { value }]) => [name, value]));
};
