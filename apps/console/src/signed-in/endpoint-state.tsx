import { Badge } from '@canvass/console-ui';
import { useEndpointTexts } from './endpoint-texts';
import type { Endpoint } from '../use-endpoints';

type Known = Pick<Endpoint, 'state' | 'failingSince' | 'pausedUntil'>;

/** The state of an endpoint in one word, the worst first. */
export function EndpointState({ endpoint: { state, failingSince, pausedUntil } }: { endpoint: Known }) {
  const texts = useEndpointTexts();
  if (state === 'removed') return <Badge tone="none">{texts.removed}</Badge>;
  if (state === 'disabled') return <Badge tone="none">{texts.disabled}</Badge>;
  if (isPaused(pausedUntil)) return <Badge tone="bad">{texts.paused}</Badge>;
  if (failingSince !== null) return <Badge tone="warn">{texts.failing}</Badge>;
  return <Badge tone="good">{state === 'enabled' ? texts.enabled : state}</Badge>;
}

const isPaused = (until: string | null): boolean => until !== null && Date.parse(until) > Date.now();

/** Ranks the trouble an endpoint is in: more is worse. Removed ones come last. */
export function troubleOf({ state, failingSince, pausedUntil }: Known): number {
  if (state === 'removed') return -1;
  if (state === 'disabled') return 3;
  if (isPaused(pausedUntil)) return 2;
  return failingSince === null ? 0 : 1;
}
