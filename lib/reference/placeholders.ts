/** What stands in the built files for addresses, which are known at the request only. */

/** In the pages: the address of the service, relative to that of the page. */
export const base = '__BASE__';

/** In `openapi.yaml`: the base URL of the service. */
export const server = 'https://server.invalid';
