/** Placeholders in the built files. The service replaces them with addresses when a request comes. */

/** In the pages: the address of the service, relative to that of the page. */
export const base = '__BASE__';

/** In `openapi.yaml`: the base URL of the service. */
export const server = 'https://server.invalid';
