/** Makes a key for the address of a search. */
import { makeSearchKey } from '../../../lib/access/search-link.ts';
import { endpoint } from '../../../lib/api/endpoint.ts';
import { accountRoutes as routes } from '../../../lib/api/routes/account.ts';

export const handler = endpoint(routes['account/create-search-key'], ({ user, request }) => {
  const made = makeSearchKey(user);
  return { ...made, url: `${request.baseUrl}/compat/searxng/${made.key}` };
});
