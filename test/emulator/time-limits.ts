/** The time limits of functions on an emulator. */
import {
  LambdaClient,
  paginateListFunctions,
  UpdateFunctionConfigurationCommand,
} from '@aws-sdk/client-lambda';

/** Seconds: the longest limit that Lambda has. */
const longest = 900;

/**
 * Gives each function of the emulator at `endpoint` the longest time limit. On a busy machine, the start of a
 * function's process can take longer than the limit that the template gives it.
 */
export const extendTimeLimits = async (endpoint: string): Promise<void> => {
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const client = new LambdaClient({ endpoint, region: 'us-east-1', credentials });
  for await (const { Functions = [] } of paginateListFunctions({ client }, {})) {
    for (const { FunctionName } of Functions)
      await client.send(new UpdateFunctionConfigurationCommand({ FunctionName, Timeout: longest }));
  }
  client.destroy();
};
