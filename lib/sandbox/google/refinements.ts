/** Invents the row of filters above the results: links to other searches of the engine. */
import { blank, type Invent } from '../invent/parts.ts';

export const refinements: Invent = ({ topic, language, country }, random) => [
  {
    ...blank,
    type: 'refinements',
    options: ['Used', 'Small', 'Near me'].map((title) => {
      const q = `${topic} ${title.toLowerCase()}`;
      const uds = random.hex(12);
      return {
        title,
        url: `https://www.google.com/search?${new URLSearchParams({ q, hl: language, gl: country, uds })}`,
      };
    }),
  },
];
