import { Badge, type Tone } from '@canvass/console-ui';
import type { Endpoint } from './use-endpoints';
import { useWebhookTexts } from './webhook-texts';

type Known = Pick<Endpoint, 'state' | 'failingSince' | 'pausedUntil'>;

const tones: Readonly<Record<string, Tone>> = { enabled: 'good', failing: 'warn', paused: 'bad' };

/** The state of an endpoint in one word, the worst first. An unknown one is shown as it is. */
export function EndpointState({ endpoint }: { endpoint: Known }) {
  const names: Readonly<Record<string, string>> = useWebhookTexts().endpointStates;
  const state = wordOf(endpoint);
  return <Badge tone={tones[state] ?? 'none'}>{names[state] ?? state}</Badge>;
}

function wordOf(endpoint: Known): string {
  if (endpoint.state !== 'enabled') return endpoint.state;
  if (pauseOf(endpoint) !== null) return 'paused';
  return endpoint.failingSince === null ? 'enabled' : 'failing';
}

/** The time until which an endpoint is paused; null if it is not: after that time the next attempt is due. */
export const pauseOf = ({ state, pausedUntil }: Known): string | null =>
  state === 'enabled' && pausedUntil !== null && Date.parse(pausedUntil) > Date.now() ? pausedUntil : null;

const ranks = ['removed', 'enabled', 'disabled', 'failing', 'paused'];

/** Ranks how much an endpoint needs a person: more is worse. What a user has disabled is as it should be. */
export const troubleOf = (endpoint: Known & Pick<Endpoint, 'disabledReason'>): number =>
  endpoint.state === 'disabled' && endpoint.disabledReason !== 'manual'
    ? ranks.length
    : ranks.indexOf(wordOf(endpoint));
