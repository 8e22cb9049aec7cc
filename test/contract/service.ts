/** The areas in process, with tables on loopback and one account that is not counted. */
import { type ApiAnswer, type ApiRequest, callArea } from '../api-call.ts';
import { startTables } from '../tables.ts';

/** The least that a crawl takes. */
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
    /** Asks the serp area: a good crawl with a good key, but for what `request` says. */
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
