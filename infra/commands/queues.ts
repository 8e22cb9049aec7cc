/** The queues of a stack, for commands. */
import { ListQueuesCommand } from '@aws-sdk/client-sqs';
import { withOrigin } from '../../lib/net/origin.ts';

/**
 * The name of a queue. On AWS, it is the stack's name, the id of the queue in the template, and a random end.
 */
export const nameOfQueue = (queueUrl: string): string => queueUrl.split('/').at(-1) ?? '';

/** The URLs of all queues of a deployed stack; without a name, of the embedded stack that runs. */
export const listQueues = async (stack?: string): Promise<string[]> => {
  const { sqs } = await import('../../lib/runtime/aws.ts');
  const { QueueUrls = [] } = await sqs.send(
    new ListQueuesCommand({ MaxResults: 1000, ...(stack && { QueueNamePrefix: `${stack}-` }) }),
  );
  // An emulator may name a host that this machine does not resolve.
  const emulator = process.env.AWS_ENDPOINT_URL_SQS || process.env.AWS_ENDPOINT_URL;
  return emulator ? QueueUrls.map((queue) => withOrigin(queue, emulator)) : QueueUrls;
};
