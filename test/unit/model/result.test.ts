/** The schema of a task's result keeps all of its fields. */
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { TrackingResult } from '../../../lib/model/tracking-result.ts';
import { trackDomains } from '../../../lib/serp/tracking.ts';

const tracked = (domain: string, competitors: string[] = []) =>
  trackDomains(
    { left: [], right: [] },
    {
      domain,
      competitors: competitors.map((competitor) => ({ keyword_id: null, competitor, type: 'domain' })),
      business_name: null,
      keyword_id: 7,
    },
  );

test.each(['acme.example', '__proto__', 'constructor', 'prototype', 'toString', '.', ''])(
  'tracking keeps a domain and a competitor named %j',
  (name) => {
    for (const result of [tracked(name), tracked('acme.example', [name])]) {
      const kept = v.parse(TrackingResult, result);

      expect(Object.keys(kept)).toEqual(Object.keys(result));
      expect(JSON.parse(JSON.stringify(kept))).toEqual(JSON.parse(JSON.stringify(result)));
      expect(Object.getPrototypeOf(kept)).toBe(Object.prototype);
    }
  },
);

test.each([null, 'text', { 'acme.example': {} }, { ['__proto__']: { type: 'owner' } }])(
  'tracking refuses %j',
  (value) => {
    expect(v.safeParse(TrackingResult, value).success).toBe(false);
  },
);
