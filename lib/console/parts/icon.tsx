/** The icons of the navigation, drawn with lines of the text's color. */
const paths = {
  playground: 'M4 6h9M4 12h6M4 18h9M17 8l4 4-4 4',
  tasks: 'M4 6l2 2 3-3M4 13l2 2 3-3M4 20l2 2 3-3M12 7h8M12 14h8M12 21h8',
  deliveries: 'M3 11.5 21 4l-6 17-3.5-7.5L3 11.5ZM11.5 13.5 21 4',
  projects: 'M3 20V10M9 20V4M15 20v-7M21 20V8',
  health: 'M3 12h4l3-8 4 16 3-8h4',
  spend:
    'M12 3v18M16.5 7.5C16 6 14.300 5.500 12 5.500c-2.500 0-4.500 1-4.500 3s2 2.800 4.500 3.300 4.500 1.200 4.500 3.400-2 3.300-4.500 3.300-4.200-.8-4.700-2.500',
} as const;

export type IconName = keyof typeof paths;

export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={paths[name]} />
  </svg>
);
