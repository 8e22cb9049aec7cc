/** The two keys of an account, over any series of rotations. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  formerKey,
  isKeyOf,
  newestKey,
  withNewestReplaced,
  withNewKey,
} from '../../../lib/access/account-keys.ts';

type Fields = Parameters<typeof newestKey>[0];

const rotations = fc.array(
  fc.record({
    grace: fc.constantFrom(0, 10, 100),
    wait: fc.integer({ min: 0, max: 200 }),
    lost: fc.boolean(),
  }),
  { maxLength: 12 },
);

test('a working key stays in its field, so that it is never missing from both indexes', () => {
  fc.assert(
    fc.property(rotations, (series) => {
      let fields: Fields = { key_hash: 'key 0', key_until: 0, other_key_until: 0 };
      let now = 1000;
      for (const [n, { grace, wait, lost }] of series.entries()) {
        now += wait;
        const before = fields;
        const newest = newestKey(before);
        const former = formerKey(before, now);
        if (former && grace > 0 && !lost) continue;
        const hash = `key ${n + 1}`;
        const until = grace === 0 ? undefined : now + grace;
        fields = {
          ...before,
          ...(lost ? withNewestReplaced(before, hash) : withNewKey(before, hash, until)),
        };

        expect(newestKey(fields)).toEqual({ hash, until: 0 });
        expect(isKeyOf(fields, hash, now)).toBe(true);
        expect(isKeyOf(fields, newest.hash, now)).toBe(!lost && grace > 0);
        if (former) expect(isKeyOf(fields, former.hash, now)).toBe(lost);
        for (const field of ['key_hash', 'other_key_hash'] as const) {
          const key = before[field];
          if (key && isKeyOf(fields, key, now)) expect(fields[field]).toBe(key);
        }
      }
    }),
  );
});
