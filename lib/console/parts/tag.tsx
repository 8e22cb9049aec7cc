/** The state of something, as a word with a color. */
import { words } from '../format.ts';

const tones: Record<string, 'good' | 'bad' | 'busy' | 'calm'> = {
  success: 'good',
  parsed: 'good',
  delivered: 'good',
  in_use: 'good',
  error: 'bad',
  failed: 'bad',
  dead_letter: 'bad',
  parked: 'bad',
  resting: 'bad',
  awaiting: 'busy',
  crawling: 'busy',
  parsing: 'busy',
  awaiting_webhook: 'busy',
  pending: 'busy',
  sending: 'busy',
  probe: 'busy',
};

export const Tag = ({ state, text = words(state) }: { state: string; text?: string }) => (
  <span class={`tag ${tones[state] ?? 'calm'}`}>{text}</span>
);
