/**
 * Whether npm has installed rolldown, the bundler of the embedded stack and of the tests, with its binary.
 * npm leaves out a binary, without an error, if the package does not support the Node that runs npm.
 */

/** Undefined if rolldown works. Otherwise a sentence that says what to do. */
export const bundlerFault = async (): Promise<string | undefined> => {
  try {
    await import('rolldown');
    return undefined;
  } catch {
    const [, installer = ''] = /node\/v(\S+)/.exec(process.env.npm_config_user_agent ?? '') ?? [];
    return `npm has left out the binary of rolldown, as it does with a Node before 20.19, or from 21 to 22.11${
      installer && ` (this npm runs on Node ${installer})`
    }. Run "npm install" again with Node 20.19, 22.12 or newer.`;
  }
};
