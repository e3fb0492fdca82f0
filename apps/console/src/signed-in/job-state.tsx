import { Badge, type Tone } from '@canvass/console-ui';
import { useFormats } from './formats';
import { useJobTexts } from './job-texts';

const tones: Readonly<Record<string, Tone>> = { running: 'warn', done: 'good', failed: 'bad' };

interface JobStateProps {
  state: string;
  /** Numbers of the job by name. */
  counts: Readonly<Record<string, number>>;
}

/** The state of a long job, and what failed of it. An unknown state is shown as it is. */
export function JobState({ state, counts }: JobStateProps) {
  const { states, failedOf } = useJobTexts();
  const { number } = useFormats();
  const name = (states as Readonly<Record<string, string>>)[state] ?? state;
  const failed = (counts['failedAgain'] ?? 0) + (counts['refused'] ?? 0);
  if (failed === 0) return <Badge tone={tones[state] ?? 'none'}>{name}</Badge>;
  return <Badge tone={state === 'failed' ? 'bad' : 'warn'}>{failedOf(name, number(failed))}</Badge>;
}
