/** The headers of an operation that shall not be used any more (RFC 9745, RFC 8594). */
import { HttpError } from '../model/http-error.ts';
import type { Hook } from './call.ts';
import type { Route } from './route.ts';

type Dates = Pick<Route, 'deprecated' | 'sunset'>;

const timeOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/**
 * The headers of a route: `Deprecation` as an `@` and Unix seconds, `Sunset` as a date of HTTP. None if the
 * route is not deprecated.
 */
const deprecationHeaders = ({ deprecated, sunset }: Dates): Record<string, string> => ({
  ...(deprecated && { Deprecation: `@${timeOf(deprecated) / 1000}` }),
  ...(sunset && { Sunset: new Date(timeOf(sunset)).toUTCString() }),
});

/** Adds the headers to the response, that of an error too. */
export const tellingDeprecation = (route: Route): Hook => ({
  after: ({ response }) => {
    if (response) response.headers = { ...response.headers, ...deprecationHeaders(route) };
  },
  onError: ({ error }) => {
    if (error instanceof HttpError) Object.assign(error.headers, deprecationHeaders(route));
  },
});
