import { Badge, type Tone } from '@canvass/console-ui';
import { useJobTexts } from './job-texts';

/** The state of a long job. A state that this version does not know is shown as it is. */
export function JobState({ state }: { state: string }) {
  const { running, done, failed, cancelled } = useJobTexts().states;
  const names: Readonly<Record<string, readonly [tone: Tone, name: string]>> = {
    running: ['warn', running],
    done: ['good', done],
    failed: ['bad', failed],
    cancelled: ['none', cancelled],
  };
  const [tone, name] = names[state] ?? ['none', state];
  return <Badge tone={tone}>{name}</Badge>;
}
