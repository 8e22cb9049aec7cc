/** Parts of the console with a library of their own, which are loaded when a view first needs them. */
import { type ComponentType, createElement } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ChartProps } from '../lazy/chart.tsx';
import { Notice, Waiting } from './notice.tsx';

const loading = <Props extends object>(what: string, load: () => Promise<ComponentType<Props>>) => {
  let loaded: ComponentType<Props> | null = null;
  return (props: Props) => {
    const [state, setState] = useState<{ part: ComponentType<Props> | null; hasFailed: boolean }>({
      part: loaded,
      hasFailed: false,
    });
    useEffect(() => {
      if (loaded) return;
      load().then(
        (part) => {
          loaded = part;
          setState({ part, hasFailed: false });
        },
        // The service has newer files, or there is no connection.
        () => setState({ part: null, hasFailed: true }),
      );
    }, []);
    if (state.part) return createElement(state.part, props);
    return state.hasFailed ? (
      <Notice kind="error">{`The ${what} could not be loaded. Load the page again.`}</Notice>
    ) : (
      <Waiting what={`the ${what}`} />
    );
  };
};

export const Chart = loading<ChartProps>('chart', async () => (await import('../lazy/chart.tsx')).Chart);

export const Markdown = loading<{ text: string }>(
  'text',
  async () => (await import('../lazy/markdown.tsx')).Markdown,
);
