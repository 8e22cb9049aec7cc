/** The key in the example events. */

/**
 * The text of an event with the key in place of its placeholders, also in the form of Basic authentication.
 */
export const withApiKey = (event: string, apiKey: string): string =>
  event
    .replace(
      /"Basic (\d+):API_KEY"/g,
      (_, id: string) => `"Basic ${Buffer.from(`${id}:${apiKey}`).toString('base64')}"`,
    )
    .replaceAll('API_KEY', apiKey);
