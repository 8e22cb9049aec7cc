/** What can be asked for, and the account, in the form of DataForSEO. */
import type { RawResponse } from '../../api/route.ts';
import { readUsage } from '../../crawl/read-usage.ts';
import { locationOfCountry } from '../../model/country-location.ts';
import { HttpError } from '../../model/http-error.ts';
import { territoryLines } from '../../model/territories.ts';
import type { Account } from '../../model/user.ts';
import { present } from '../present.ts';
import { type Asking, envelope, invalidField, statusOf } from './envelope.ts';
import { isEngine, languagesOf } from './request.ts';

// An operation imports one file of a form.
export { dataforseoDialect } from './dialect.ts';

/** The countries, with the codes that tasks can name. Places within a country have a name only. */
const locations = (isoCode: string) =>
  territoryLines
    .trim()
    .split('\n')
    .map((line) => line.split('|'))
    .filter(([code = '']) => isoCode === '' || code === isoCode.toUpperCase())
    .map(([code = '', , name = '']) =>
      present({
        location_code: locationOfCountry(code),
        location_name: name,
        country_iso_code: code,
        location_type: 'Country',
      }),
    );

/**
 * Lists the locations or the languages of an engine. `country`: only that of this code; empty: all.
 * @throws HttpError 404 for another engine or list.
 */
export const listNames = (
  { engine, list, country = '' }: { engine: string; list: string; country?: string },
  asking: Asking,
): RawResponse => {
  if (!isEngine(engine)) throw new HttpError(404, 'Not Found');
  const ok = { ...statusOf(20000), data: { se: engine } };
  if (list === 'locations') {
    const result = locations(country);
    const outcome = result.length > 0 ? { ...ok, result } : { ...ok, ...invalidField('country') };
    return envelope([outcome], asking);
  }
  if (list === 'languages' && country === '')
    return envelope([{ ...ok, result: languagesOf(engine) }], asking);
  throw new HttpError(404, 'Not Found');
};

/** The account: its limit, and its searches of the last 24 hours. It has no balance. */
export const readAccount = async (user: Account, asking: Asking): Promise<RawResponse> => {
  const { total } = await readUsage(user);
  const result = {
    login: user.email || String(user.id),
    timezone: 'UTC',
    rates: present({
      limits: user.rate_limit === 0 ? undefined : { minute: { total: user.rate_limit } },
      statistics: { day: { total: total.searches, total_serp: total.searches } },
    }),
  };
  return envelope([{ ...statusOf(20000), result: [result] }], asking);
};
