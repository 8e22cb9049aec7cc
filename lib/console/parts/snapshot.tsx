/**
 * The frame with the stored page of a task, and the parsed items marked on it. Each page needs a frame of its
 * own: give it a `key`.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import { boxBlocks, findBlocks, markBlocks, type Sought } from '../blocks.ts';
import { labelBlocks } from '../mark-labels.ts';
import { emptyFrame, type Rebuilt, rebuild } from '../snapshot.ts';

type Props = {
  html: string;
  device: 'desktop' | 'mobile';
  /** `label`: the number and the kind, which the mark on the page shows. */
  items: readonly (Sought & { label: string })[];
  /** The number of the item to show. */
  present: number | null;
  onChoice: (item: number) => void;
  /** Which items were found on the page. */
  onFound: (found: boolean[]) => void;
};

/** The width for which the page was made, in CSS pixels. */
const pageWidth = { desktop: 980, mobile: 412 };

/** Text below this scale cannot be read. The frame then scrolls sideways. */
const minScale = 0.56;

const isCalm = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

export const Snapshot = ({ html, device, items, present, onChoice, onFound }: Props) => {
  const frame = useRef<HTMLIFrameElement>(null);
  const room = useRef<HTMLElement>(null);
  const blocks = useRef<(Element | null)[]>([]);
  const [shown, setShown] = useState<(Rebuilt & { target: Document }) | null>(null);
  const chosen = useRef(onChoice);
  chosen.current = onChoice;

  const fill = () => {
    const target = frame.current?.contentDocument;
    if (target?.body) setShown({ ...rebuild(html, target), target });
  };

  // The page may be stored before its items are known.
  const sought = JSON.stringify(items);
  useEffect(() => {
    if (!shown) return;
    const clicks = new AbortController();
    const wanted: Props['items'] = JSON.parse(sought);
    blocks.current = findBlocks(shown.target, shown.links, wanted);
    boxBlocks(shown.target, blocks.current);
    const removeLabels = labelBlocks(
      shown.target,
      blocks.current,
      wanted.map(({ label }) => label),
      (n) => chosen.current(n),
    );
    markBlocks(shown.target, blocks.current, null);
    for (const [n, block] of blocks.current.entries()) {
      const choose = (event: Event) => {
        event.stopPropagation();
        chosen.current(n);
      };
      block?.addEventListener('click', choose, { signal: clicks.signal });
    }
    onFound(shown.isBlank ? [] : blocks.current.map((block) => block !== null));
    return () => {
      clicks.abort();
      removeLabels();
    };
  }, [shown, sought, onFound]);

  useEffect(() => {
    if (!shown) return;
    markBlocks(shown.target, blocks.current, present);
    if (present === null) return;
    const block = blocks.current[present];
    block?.scrollIntoView({ block: 'center', inline: 'nearest', behavior: isCalm() ? 'auto' : 'smooth' });
  }, [present, shown, sought]);

  // Shows a desktop page smaller, as far as it can be read.
  useEffect(() => {
    const [outer, inner] = [room.current, frame.current];
    if (!outer || !inner) return;
    const resize = () => {
      const scale = Math.max(minScale, Math.min(1, outer.clientWidth / pageWidth[device]));
      // A page for phones has other styles where there is more room.
      const isPhone = device === 'mobile';
      const width = isPhone ? pageWidth.mobile : Math.max(pageWidth.desktop, outer.clientWidth / scale);
      inner.style.width = `${width}px`;
      inner.style.marginInline = isPhone && scale === 1 ? 'auto' : '';
      inner.style.height = `${outer.clientHeight / scale}px`;
      inner.style.transform = `scale(${scale})`;
    };
    resize();
    const observer = new ResizeObserver(resize);
    observer.observe(outer);
    return () => observer.disconnect();
  }, [device]);

  return (
    <>
      {shown?.isBlank && (
        <p class="hint page-note">This page draws its content with scripts, which do not run here.</p>
      )}
      {shown?.isCut && <p class="hint page-note">The page is too large to be shown whole.</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it. */}
      <section class="frame-room" ref={room} tabIndex={0} aria-label="The stored page">
        <iframe
          ref={frame}
          title="The stored page, without its scripts"
          // Same origin, so that the console can fill it. Without allow-scripts, nothing in it can run.
          sandbox="allow-same-origin"
          srcdoc={emptyFrame}
          onLoad={fill}
        />
      </section>
    </>
  );
};
