/** Invents what a page says about a subject: posts, topics, offers, matches, showtimes. */
import { ago, day, money } from '../search-context.ts';
import { people, phrase, towns } from '../words.ts';
import { address, blank, host, type Invent, several, titled } from './parts.ts';

export const posts: Invent = (context, random) =>
  several(random, 3, 5, (n) => ({
    ...blank,
    type: 'post',
    title: titled(context, random, n),
    url: `https://chirper.example/posts/${random.hex(12)}`,
    source: 'Chirper',
    channel: random.pick(people),
    date: ago(context, random.between(2, 23), 'hour'),
  }));

const topics: [topic: string, question: string][] = [
  ['Material', 'What is * made of?'],
  ['Care', 'How do you look after *?'],
  ['Origin', 'Where does * come from?'],
  ['Cost', 'How much does * cost?'],
];

export const thingsToKnow: Invent = (context, random) =>
  random.draw(topics, 3).map(([title, question]) => ({
    ...blank,
    type: 'things_to_know',
    title,
    subtitle: phrase(question, context.topic),
  }));

export const productPanel: Invent = (context, random) => {
  const offers = [1, 2, 3].map((n) => {
    const source = host(random);
    return {
      title: `${titled(context, random, n)}, with a bag, a strap and a warranty of three years`,
      url: address(context, random, 'offers', n),
      source,
      price: money(context, random.between(900, 30_000)),
    };
  });
  return [{ ...blank, type: 'product_panel', title: offers[0]?.title ?? '', offers }];
};

export const matches: Invent = (context, random) =>
  several(random, 2, 3, (n) => {
    const [home, guest] = random.draw(towns, 2);
    const teams = [`${home} Rovers`, `${guest} United`].map((name) => ({
      name,
      score: String(random.between(0, 4)),
    }));
    return {
      ...blank,
      type: 'sports',
      title: teams.map(({ name }) => name).join(' – '),
      teams,
      date: day(context, n),
    };
  });

export const showtimes: Invent = (_context, random) =>
  random.draw(towns, 3).map((town) => ({
    ...blank,
    type: 'showtimes',
    title: `${town} Picture House`,
    times: [random.between(14, 17), random.between(18, 22)].map(
      (hour) => `${hour}:${random.pick(['00', '15', '30'])}`,
    ),
  }));
