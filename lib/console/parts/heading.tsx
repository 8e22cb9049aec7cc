/**
 * The heading of a view. It gets the focus when the view opens, so that a keyboard or a screen reader
 * continues there.
 */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

type Props = {
  title: string;
  /** The way to the view above. */
  trail?: { text: string; href: string }[];
  /** A sentence below the title. */
  lead?: ComponentChildren;
  /** Buttons at the right. */
  children?: ComponentChildren;
};

/** The first view of a page leaves the focus where the browser starts, unless a person has signed in. */
let takesFocus = false;

/** Lets the next view have the focus. */
export const focusNextView = (): void => {
  takesFocus = true;
};

export const Heading = ({ title, trail = [], lead, children }: Props) => {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    document.title = `${title} · Search ranking console`;
  }, [title]);
  // Not when the title changes, because a person may be elsewhere by then.
  useLayoutEffect(() => {
    if (takesFocus) heading.current?.focus();
    takesFocus = true;
  }, []);
  return (
    <header class="heading">
      <div>
        {trail.length > 0 && (
          <nav aria-label="Breadcrumb" class="trail">
            <ol>
              {trail.map(({ text, href }) => (
                <li key={href}>
                  <a href={href}>{text}</a>
                </li>
              ))}
            </ol>
          </nav>
        )}
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {lead && <p class="lead">{lead}</p>}
      </div>
      {children && <div class="actions">{children}</div>}
    </header>
  );
};
