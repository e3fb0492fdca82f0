import { Badge, type Tone } from '@canvass/console-ui';
import { useJobTexts } from './job-texts';

const tones: Readonly<Record<string, Tone>> = { running: 'warn', done: 'good', failed: 'bad' };

/** The state of a long job. A state that this version does not know is shown as it is. */
export function JobState({ state }: { state: string }) {
  const names: Readonly<Record<string, string>> = useJobTexts().states;
  return <Badge tone={tones[state] ?? 'none'}>{names[state] ?? state}</Badge>;
}
