/** Runs all tamperings on pages of an engine. */
import { expect, test } from 'vitest';
import type { Engine } from './engines.ts';
import { faultOf } from './judged.ts';
import type { Answer, Tampering } from './tamperings.ts';

/** A genuine page, and a page of another search. */
export type Pair<E extends Engine> = { name: string; answer: Answer<E>; other: Answer<E> };

/**
 * No tampered page passes for what it is not, no genuine page is refused, and a tampering is left out only
 * for a reason. `missing`: the tamperings that change a part which none of these pages has.
 */
export const testPack = <E extends Engine>(
  engine: E,
  pairs: Pair<E>[],
  pack: Tampering<E>[],
  missing: string[] = [],
): void => {
  const applied = new Set<string>();

  test.each(pairs)('$name', ({ answer, other }) => {
    const faults = pack.flatMap(({ name, demand: usual, tamper }) => {
      const demand = engine.demands[name] ?? usual;
      const changed = name in engine.impossible ? null : tamper(answer, other);
      if (!changed) return [];
      applied.add(name);
      const fault = faultOf(changed, demand, answer);
      return fault ? [`${name} must be ${demand}: ${fault}`] : [];
    });

    expect(faults).toEqual([]);
  });

  test('every tampering was done on a page, or has a reason why it is impossible', () => {
    const names = pack.map(({ name }) => name);

    expect(names.filter((name) => !applied.has(name) && !(name in engine.impossible))).toEqual(missing);
    expect(Object.keys(engine.impossible).filter((name) => !names.includes(name))).toEqual([]);
  });
};
