/** The error of a command whose arguments make no sense: says which ones, and how to use the command. */
export const usageError = (args: readonly string[], usage: string): Error =>
  new Error(
    `${args.length > 0 ? `Unknown arguments: ${args.join(' ')}` : 'Arguments are missing.'}\nUsage: ${usage}`,
  );
