/** Calls whose users wait for the answer. */
import { type Random, randomOf } from '../world/random.ts';
import { type Action, minute, phrases } from './action.ts';

/** In a third of the worlds, live calls whose tasks do not end while the client waits. */
export const slowLivesOf = (seed: number, users: number, lastAt: number): Action[] => {
  const random = randomOf(seed, 'slow live calls');
  if (random.chance(0.67)) return [];
  const search = { engine: 'bing', keyword: `http_429: ${phrases[0]}`, depth: 10, hooked: false };
  return [{ at: minute + random.int(lastAt - minute), user: random.int(users), kind: 'live', search }];
};

/** The end of the keywords that two users ask for at once. */
export const askedTogether = ' asked together';

/** The same question of two users at once, in half of these worlds: about volumes or suggestions. */
const togetherOf = (random: Random, users: number, lastAt: number): Action[] => {
  if (random.chance(0.5)) return [];
  const at = minute + random.int(lastAt - minute);
  const apartMs = random.int(300);
  const when = (user: number) => ({ at: at + user * apartMs, user: user === 0 ? 0 : users - 1 });
  const keywords = [`${phrases[0]}${askedTogether}`, `${phrases[1]}${askedTogether}`];
  if (random.chance(0.5))
    return [0, 1].map((user) => ({ ...when(user), kind: 'live volumes', keywords, languages: ['en'] }));
  return [0, 1].map((user) => ({
    ...when(user),
    kind: 'live suggestions',
    keyword: `${phrases[0]}${askedTogether}`,
  }));
};

/** In some worlds, a user asks for a volume that the source does not give, and asks again at once. */
const failureOf = (seed: number, users: number, lastAt: number): Action[] => {
  const random = randomOf(seed, 'failing questions');
  if (random.chance(0.8)) return [];
  const at = minute + random.int(lastAt - minute);
  const keywords = [`http_500: ${phrases[0]} asked twice`];
  return [{ at, user: random.int(users), kind: 'live volumes', keywords, languages: [], isFailing: true }];
};

/** Volumes that users ask for while they wait, in one language after another, in a third of the worlds. */
export const liveVolumesOf = (seed: number, users: number, lastAt: number): Action[] => {
  const random = randomOf(seed, 'live volumes');
  const failures = failureOf(seed, users, lastAt);
  if (random.chance(0.67)) return failures;
  const each = Array.from({ length: 1 + random.int(2) }, () => ({
    at: minute + random.int(lastAt - minute),
    user: random.int(users),
    kind: 'live volumes' as const,
    keywords: [random.pick(phrases), random.pick(phrases)],
    languages: random.pick([
      ['en', 'de'],
      ['de', '', 'de'],
    ]),
  }));
  return [...each, ...togetherOf(random, users, lastAt), ...failures];
};
