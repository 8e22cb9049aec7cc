/**
 * A middleware of the AWS clients that logs slow calls: which call and how long, never its input, which has
 * data of users. It adds the name of the call to errors (`call`).
 */
import { stopwatch } from './clock.ts';
import { log } from './log.ts';

const slowMilliseconds = 1000;

/** Commands that wait by design: for a run of a state machine, and for a message. */
const waiting: readonly (string | undefined)[] = ['StartSyncExecutionCommand', 'ReceiveMessageCommand'];

type MiddlewareStack = {
  remove: (name: string) => boolean;
  add: (middleware: ReturnType<typeof measured>, place: { step: 'initialize'; name: string }) => void;
};

type Call = { clientName?: string; commandName?: string };

/** `DynamoDB GetItem` of `DynamoDBClient` and `GetItemCommand`. */
const nameOf = ({ clientName = '', commandName = '' }: Call): string =>
  `${clientName.replace(/Client$/, '')} ${commandName.replace(/Command$/, '')}`;

const measured =
  (clock: () => number) =>
  <Args, Answer>(next: (args: Args) => Promise<Answer>, call: Call) =>
  async (args: Args): Promise<Answer> => {
    const started = clock();
    const logIfSlow = (error?: string) => {
      const milliseconds = Math.round(clock() - started);
      if (milliseconds < slowMilliseconds || waiting.includes(call.commandName)) return;
      log.warn('slow AWS call', { call: nameOf(call), milliseconds, error });
    };
    try {
      const answer = await next(args);
      logIfSlow();
      return answer;
    } catch (error) {
      logIfSlow(error instanceof Error ? error.name : String(error));
      throw error instanceof Error ? Object.assign(error, { call: nameOf(call) }) : error;
    }
  };

/**
 * A plugin for the middleware of a client. The time includes all retries of a call. It removes the log of the
 * SDK, which copies each request and each answer, also if nothing writes them.
 */
export const loggingSlowCalls = (clock = stopwatch) => ({
  applyToStack: (stack: MiddlewareStack): void => {
    stack.remove('loggerMiddleware');
    stack.add(measured(clock), { step: 'initialize', name: 'logSlowCalls' });
  },
});
