/** Settings in the Parameter Store of Systems Manager: read on demand, and cached for a minute. */
import { GetParameterCommand } from '@aws-sdk/client-ssm';
import { ssm } from './aws.ts';
import { isBackPressure, logRefusal } from './back-pressure.ts';
import { clock } from './clock.ts';
import { log } from './log.ts';

/** All functions use a changed parameter after this time, without a deployment. */
const cacheSeconds = 60;

/**
 * Reads a parameter at most once in a minute, and parses it. If a later read fails, or if its value is
 * malformed, the last value that was read stays in use, and the log says so.
 * @throws if the first read fails, or if its value is malformed.
 */
export const keepParameter = <Value>(
  name: string,
  parse: (text: string) => Value,
): ((now?: number) => Promise<Value>) => {
  let cached: { value: Promise<Value>; until: number } | undefined;

  const read = async (): Promise<Value> => {
    const { Parameter } = await ssm.send(new GetParameterCommand({ Name: name }));
    return parse(Parameter?.Value ?? '');
  };

  return (now = clock()) => {
    if (cached && now < cached.until) return cached.value;
    const last = cached?.value;
    const value = read().catch((error: unknown) => {
      if (last) {
        if (isBackPressure(error)) logRefusal(error);
        log.error('parameter not read', { parameter: name, reason: String(error) });
        return last;
      }
      cached = undefined;
      throw error;
    });
    cached = { value, until: now + cacheSeconds };
    return value;
  };
};
