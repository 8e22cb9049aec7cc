/** The reader of Google Ads on recorded answers. They belong to others and stay in ../shared. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ideaMetricOf, keywordForm, liveMetricOf } from '../../lib/model/keyword-metrics.ts';
import { readIdeas, readVolumes } from '../../lib/provider/google-ads/answer.ts';
import { adsToken } from '../../lib/provider/google-ads/token.ts';

const folder = new URL('../../../shared/keyword/google_ads/', import.meta.url);
const answer = (name: string, status = 200) => ({
  status,
  headers: {},
  body: readFileSync(new URL(name, folder), 'utf8'),
});

describe('volumes', () => {
  test('micros, month names and close variants', () => {
    const read = readVolumes(answer('historical_answer_lead_in_protein_powder_3months.json'));
    if (!read.ok) throw new Error(read.reason);
    const metrics = read.value.get(keywordForm('Lead  protein Powder'));

    expect([...read.value.keys()].sort()).toEqual(['lead in protein powder', 'lead protein powder']);
    if (!metrics) throw new Error('The variant has no metrics');
    expect(ideaMetricOf(metrics)).toEqual({
      competition: 'LOW',
      competition_index: 8,
      avg_monthly_searches: 27_100,
      low_top_of_page_bid_micros: 17_833,
      high_top_of_page_bid_micros: 161_304,
      monthly_search_volumes: [
        { month: 'JULY', year: 2025, monthly_searches: 390 },
        { month: 'AUGUST', year: 2025, monthly_searches: 320 },
        { month: 'SEPTEMBER', year: 2025, monthly_searches: 165_000 },
      ],
    });
    expect(liveMetricOf('k', metrics)).toEqual({
      key: 'k',
      cmp: 0.08,
      cpc: 0.0895685,
      ms: [
        { year: 2025, month: 9, count: 165_000 },
        { year: 2025, month: 8, count: 320 },
        { year: 2025, month: 7, count: 390 },
      ],
      sv: 27_100,
      has_data: true,
    });
  });

  test('an answer with totals by device', () => {
    const read = readVolumes(answer('historical_device_aggregate_shape_v23.json'));

    expect(read.ok && read.value.get('wärmepumpen finanzieren')).toMatchObject({
      volume: 1600,
      competition: 'HIGH',
      lowBidMicros: 2_850_000,
    });
  });
});

test('ideas with concepts and absent metrics', () => {
  const read = readIdeas(answer('ideas_concepts_brand_shape_v23.json'));

  expect(read).toEqual({
    ok: true,
    value: {
      ideas: [
        {
          text: 'stannah treppenlift',
          metrics: {
            volume: 880,
            competition: 'MEDIUM',
            competitionIndex: null,
            lowBidMicros: null,
            highBidMicros: null,
            months: [],
          },
          concepts: [{ name: 'stannah', group: { name: 'Others brands', type: 'OTHER_BRANDS' } }],
        },
      ],
      devices: [],
      nextPageToken: '',
    },
  });
});

test.each([
  ['error_403_customer_not_enabled_v8.json', 403, 'access', 'CUSTOMER_NOT_ENABLED'],
  ['error_403_developer_token_prohibited_v23_20260329.json', 403, 'access', 'DEVELOPER_TOKEN_PROHIBITED'],
  ['error_429_quota_operations_v21_20260803.json', 429, 'throttled', 'RESOURCE_EXHAUSTED'],
])('%s', (name, status, problem, word) => {
  const read = readVolumes(answer(name, status));

  expect(read).toMatchObject({ ok: false, problem, reason: expect.stringContaining(word) });
  if (problem === 'throttled') expect(read).toMatchObject({ retryAfterSeconds: 40_591 });
});

test.each([
  ['oauth_token_400_invalid_grant_revoked.json', 'invalid_grant: Token has been expired or revoked'],
  ['oauth_token_400_invalid_grant_bad_request.json', 'invalid_grant: Bad Request'],
])('%s is a fault of the credentials', (name, words) => {
  expect(adsToken.read(answer(name, 400))).toEqual({
    ok: false,
    problem: 'credentials',
    word: 'upstream',
    reason: `Google Ads does not accept the credentials (${words})`,
  });
});
