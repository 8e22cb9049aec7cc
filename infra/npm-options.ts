/**
 * Options that npm took for itself: `npm run user list --stack=prod` lacks the `--` before its options. npm
 * warns, and runs the command without them.
 */

/** Settings of npm itself, which the `.npmrc` of a person may have. */
const settingsOfNpm = ['before', 'browser', 'email', 'save', 'user', 'yes'];

/**
 * A sentence about the first of these options that npm took; undefined if it took none. `options`: those that
 * the command knows and did not get, without their dashes.
 */
export const takenByNpm = (
  options: readonly string[],
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string | undefined => {
  const taken = options.find(
    (option) => !settingsOfNpm.includes(option) && environment[`npm_config_${option.replaceAll('-', '_')}`],
  );
  return taken && `npm took --${taken} for itself. Write -- before the options: npm run … -- --${taken}`;
};
