/** Which area of the interface answers which paths. */

/** Path → the area that answers it and every path below it. The area `site` answers all other paths. */
export const areaPaths: Record<string, 'serp'> = {
  '/api/v1/common': 'serp',
  '/api/v1/serp': 'serp',
  '/api/v2/serp': 'serp',
  '/pages': 'serp',
  '/upstream': 'serp',
};
