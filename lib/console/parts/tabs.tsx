/** Tabs by the ARIA pattern: one tab stop, and the arrow keys choose. */
import type { ComponentChildren, TargetedKeyboardEvent } from 'preact';
import { useId, useRef } from 'preact/hooks';

type Tab = { id: string; title: string; content: () => ComponentChildren };

type Props = { label: string; tabs: readonly Tab[]; chosen: string; onChoice: (id: string) => void };

export const Tabs = ({ label, tabs, chosen, onChoice }: Props) => {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const at = Math.max(
    0,
    tabs.findIndex((tab) => tab.id === chosen),
  );
  const present = tabs[at];
  const move = (event: TargetedKeyboardEvent<HTMLDivElement>) => {
    const steps: Record<string, number> = {
      ArrowRight: at + 1,
      ArrowLeft: at - 1,
      Home: 0,
      End: tabs.length - 1,
    };
    const to = steps[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = (to + tabs.length) % tabs.length;
    onChoice(tabs[next]?.id ?? chosen);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus();
  };
  return (
    <div class="tabs">
      <div class="tab-list" role="tablist" aria-label={label} ref={list} onKeyDown={move}>
        {tabs.map((tab, n) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${id}-tab-${tab.id}`}
            aria-selected={n === at}
            aria-controls={n === at ? `${id}-panel` : undefined}
            tabIndex={n === at ? 0 : -1}
            onClick={() => onChoice(tab.id)}
          >
            {tab.title}
          </button>
        ))}
      </div>
      <div class="tab-panel" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-tab-${present?.id}`}>
        {present?.content()}
      </div>
    </div>
  );
};
