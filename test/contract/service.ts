/**
 * The areas in this process, with tables on loopback, one account without a rate limit, and a machine that
 * ends each task in error.
 */
import { SFNClient, StartSyncExecutionCommand } from '@aws-sdk/client-sfn';
import { mockClient } from 'aws-sdk-client-mock';
import { type Area, areaAt } from '../../infra/api/areas.ts';
import { type ApiAnswer, type ApiRequest, type AreaHandler, callArea } from '../api-call.ts';
import { startTables } from '../tables.ts';

/** The smallest valid body of a crawl. */
export const crawl = { keyword: 'k', location_name: 'L', iso_code: 'US' };
export const onePath = '/api/v2/serp/crawl';
export const batchPath = '/api/v2/serp/crawl/google/batch';

export const detailOf = ({ body }: ApiAnswer) => JSON.parse(body).detail;

/** The area that answers a path: that of the longest path of the table that the path begins with. */
export const areaOf = (target: string): Area => areaAt(target.split('?')[0] ?? '');

/**
 * The handler of each area. The caller starts the tables first, because the handlers read their names when
 * they are imported.
 */
export const importAreas = async (): Promise<Record<Area, AreaHandler>> => {
  const [account, compat, keyword, mcp, reporting, serp, site, status] = await Promise.all([
    import('../../functions/api/account.ts'),
    import('../../functions/api/compat.ts'),
    import('../../functions/api/keyword.ts'),
    import('../../functions/api/mcp.ts'),
    import('../../functions/api/reporting.ts'),
    import('../../functions/api/serp.ts'),
    import('../../functions/api/site.ts'),
    import('../../functions/api/status.ts'),
  ]);
  return {
    account: account.handler,
    compat: compat.handler,
    keyword: keyword.handler,
    mcp: mcp.handler,
    reporting: reporting.handler,
    serp: serp.handler,
    site: site.handler,
    status: status.handler,
  };
};

export type Service = Awaited<ReturnType<typeof startService>>;

export const startService = async () => {
  const { queue, stop } = await startTables();
  const areas = await importAreas();
  const { createAccount } = await import('../../lib/access/create-account.ts');
  const { failTask, failures } = await import('../../lib/task/fail.ts');
  const machine = mockClient(SFNClient);
  machine.on(StartSyncExecutionCommand).callsFake(async ({ input }) => {
    await failTask(JSON.parse(input), failures.late);
    return { status: 'SUCCEEDED', output: JSON.stringify({ outcome: 'final', delivery: null }) };
  });
  const { apiKey } = await createAccount({ rate_limit: 0 });

  return {
    ...areas,
    createAccount,
    apiKey,
    queue,
    machine,
    stop,
    /** Sends a request to the area of its path. By default, a valid crawl with a valid key. */
    call: (request: Partial<ApiRequest> = {}): Promise<ApiAnswer> =>
      callArea(areas[areaOf(request.path ?? onePath)], {
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
