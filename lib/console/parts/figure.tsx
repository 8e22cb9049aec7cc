/** Figures with their names, side by side. */
import type { ComponentChildren } from 'preact';

export const Figure = ({ name, value }: { name: string; value: ComponentChildren }) => (
  <div class="figure">
    <span class="figure-name">{name}</span>
    <span class="figure-value">{value}</span>
  </div>
);

export const Figures = ({ children }: { children: ComponentChildren }) => (
  <div class="figures">{children}</div>
);
