/**
 * The order of test files. Vitest begins with those that took longest, which it knows of earlier runs, or
 * else with the largest ones. After a new install, it would begin the longest suites of some rungs last, and
 * then wait for one of them.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Short files with tests that take minutes, from the longest on. */
const first = [
  'test/crash/crawling.test.ts',
  'test/crash/delivering.test.ts',
  'test/crash/accepting.test.ts',
  'test/pages/tampering.test.ts',
  'test/pages/derived-google-names.test.ts',
  'test/pages/cut.test.ts',
  'test/pages/existing-clients.test.ts',
  'test/pages/markups.test.ts',
  'test/pages/derived-google.test.ts',
];

const placeOf = ({ moduleId }: TestSpecification): number => {
  const place = first.findIndex((file) => moduleId.endsWith(file));
  return place < 0 ? first.length : place;
};

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rungs = Map.groupBy(await super.sort(files), ({ project }) => project);
    return [...rungs.values()].flatMap((rung) => rung.toSorted((a, b) => placeOf(a) - placeOf(b)));
  }
}
