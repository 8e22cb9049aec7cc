/** The areas in this process, with tables on loopback, one account without a rate limit, and a machine that ends each task in error. */
import { SFNClient, StartSyncExecutionCommand } from '@aws-sdk/client-sfn';
import { mockClient } from 'aws-sdk-client-mock';
import { type ApiAnswer, type ApiRequest, callArea } from '../api-call.ts';
import { startTables } from '../tables.ts';

/** The smallest valid body of a crawl. */
export const crawl = { keyword: 'k', location_name: 'L', iso_code: 'US' };
export const onePath = '/api/v2/serp/crawl';
export const batchPath = '/api/v2/serp/crawl/google/batch';

export const detailOf = ({ body }: ApiAnswer) => JSON.parse(body).detail;

export type Service = Awaited<ReturnType<typeof startService>>;

export const startService = async () => {
  const { queue, stop } = await startTables();
  const { handler: serp } = await import('../../functions/api/serp.ts');
  const { handler: site } = await import('../../functions/api/site.ts');
  const { createAccount } = await import('../../lib/access/create-account.ts');
  const { failTask, failures } = await import('../../lib/task/fail.ts');
  const machine = mockClient(SFNClient);
  machine.on(StartSyncExecutionCommand).callsFake(async ({ input }) => {
    await failTask(JSON.parse(input), failures.late);
    return { status: 'SUCCEEDED', output: JSON.stringify({ outcome: 'final', delivery: null }) };
  });
  const { apiKey } = await createAccount({ rate_limit: 0 });

  return {
    serp,
    site,
    createAccount,
    apiKey,
    queue,
    machine,
    stop,
    /** Sends a request to the area serp. By default, a valid crawl with a valid key. */
    call: (request: Partial<ApiRequest> = {}): Promise<ApiAnswer> =>
      callArea(serp, {
        method: 'POST',
        path: onePath,
        body: JSON.stringify(crawl),
        ...request,
        headers: {
          Authorization: `Bearer ${apiKey}`,
          'Content-Type': 'application/json',
          ...request.headers,
        },
      }),
  };
};
