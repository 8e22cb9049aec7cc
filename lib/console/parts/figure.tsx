/** Figures with their names, side by side. */
import type { ComponentChildren } from 'preact';

type Props = { name: string; value: ComponentChildren; note?: ComponentChildren };

export const Figure = ({ name, value, note }: Props) => (
  <div class="figure">
    <span class="figure-name">{name}</span>
    <span class="figure-value">{value}</span>
    {note && <span class="under">{note}</span>}
  </div>
);

export const Figures = ({ children }: { children: ComponentChildren }) => (
  <div class="figures">{children}</div>
);
