/** Checks of the sources of keyword data: suggestions, trends and Google Ads. Each is asked once. */
import type { Source } from '../../../lib/keyword/web/source.ts';
import type { EngineName } from '../../../lib/model/engine.ts';
import type { Provider } from '../../../lib/model/source.ts';
import type { Fault } from '../../../lib/provider/provider.ts';
import { whileEmpty } from '../../secret-table.ts';
import { type Check, deadlineMs, readHidden, Warning } from './patient.ts';

const sourceRemedy = 'send it through a proxy (PROXY_URL), or wait if it is throttled';

/** Asks a source once, with the proxies and the origin of the stack. @throws if it is rested or gives no data. */
const askSource = async <Asked, Value>(
  source: Source,
  provider: Provider<Asked, Value[]>,
  asked: Asked,
  noun: string,
): Promise<string> => {
  const { callSource, newConversation } = await import('../../../lib/keyword/web/call-source.ts');
  const { lineOf } = await import('../../../lib/keyword/web/source.ts');
  const { readLine } = await import('../../../lib/store/pace.ts');
  const { rested_until } = await readLine(lineOf(source));
  if (rested_until > Date.now() / 1000) {
    throw new Error(`it is rested until ${new Date(rested_until * 1000).toISOString()}: ${sourceRemedy}`);
  }
  const conversation = newConversation({ source, isoCode: 'US', language: 'en' });
  const result = await callSource(conversation, provider, asked, deadlineMs);
  if (result.outcome !== 'answered') throw new Error(`${result.reason}: ${sourceRemedy}`);
  // The words are common, so an empty list is no answer.
  if (result.value.length === 0) throw new Error(`it answers with an empty list: ${sourceRemedy}`);
  return `${result.value.length} ${noun}`;
};

export const checkSuggestions =
  (engine: EngineName): Check =>
  async () => {
    const { suggestProviders } = await import('../../../lib/provider/suggest.ts');
    const asked = { keyword: 'weather', iso_code: 'US', language_code: 'en' };
    return askSource({ name: 'suggest', engine }, suggestProviders[engine], asked, 'suggestions');
  };

export const checkTrends =
  (engine: EngineName): Check =>
  async () => {
    const { trending } = await import('../../../lib/provider/google-trends.ts');
    return askSource({ name: 'trends', engine }, trending, { country: 'US' }, 'trending searches');
  };

/** What to do about a fault of Google Ads. */
const adsRemedies: Record<Fault['problem'], string> = {
  credentials: 'set them again with npm run secret -- set GOOGLE_ADS_CREDENTIALS',
  access: 'check customer_id and login_customer_id, or apply for access of the Cloud project',
  quota: 'wait until the quota is renewed',
  invalid: 'set ADS_VERSION to a version that Google Ads serves',
  down: 'wait, or check ADS_ORIGIN',
  timeout: 'wait, or check ADS_ORIGIN',
  malformed: 'report it with this line',
};

/** Gets an access token and asks Google Ads for the figures of one keyword. The call takes no turn from the users. */
export const checkKeywordData =
  (isLive: boolean): Check =>
  async () => {
    const { isSandbox } = await import('../../../lib/keyword/ads/source.ts');
    const { authorize } = await import('../../../lib/keyword/ads/token.ts');
    const { sendToAds } = await import('../../../lib/keyword/ads/send.ts');
    const { volumesRequest } = await import('../../../lib/provider/google-ads/call.ts');
    const { readVolumes } = await import('../../../lib/provider/google-ads/answer.ts');
    const { setting } = await import('../../../lib/runtime/env.ts');
    if (isLive && (await readHidden('GOOGLE_ADS_CREDENTIALS')) === '' && setting('ADS_ORIGIN') === '') {
      return `no credentials: ${whileEmpty.GOOGLE_ADS_CREDENTIALS}`;
    }
    const ask = async () => {
      const authorized = await authorize();
      if (!authorized.ok) return authorized;
      const call = { ...authorized.value, version: setting('ADS_VERSION') };
      const market = { location: 2840, language: 'en' };
      const answer = await sendToAds(volumesRequest(call, ['weather'], market), deadlineMs);
      return answer.ok ? readVolumes(answer.value) : answer;
    };
    const read = await ask();
    if (read.ok) return isSandbox() ? 'figures come from the sandbox' : 'Google Ads gives figures';
    const sentence = `${read.reason}: ${adsRemedies[read.problem]}`;
    throw read.problem === 'quota' ? new Warning(sentence) : new Error(sentence);
  };
