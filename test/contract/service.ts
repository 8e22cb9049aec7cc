/** The areas in this process, with tables on loopback and one account without a rate limit. */
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
  const { apiKey } = await createAccount({ rate_limit: 0 });

  return {
    serp,
    site,
    createAccount,
    apiKey,
    queue,
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
