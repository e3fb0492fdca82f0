import type { components } from '@canvass/client';

type Times = components['schemas']['WebhookAttemptTimes'];

export const phaseNames = ['dns', 'connect', 'tls', 'firstByte', 'rest'] as const;
export type Phase = (typeof phaseNames)[number];

/**
 * The milliseconds of each phase of an attempt; phases that did not happen are absent. They add up to the
 * whole time: of an attempt that got no byte, the wait is the last phase that happened.
 */
export function phasesOf({
  dns,
  connect,
  tls,
  firstByte,
  total,
}: Times): [phase: Phase, milliseconds: number][] {
  const phases: [Phase, number][] = [];
  let reached = 0;
  const add = (phase: Phase, milliseconds: number) => {
    const own = Math.max(0, Math.min(milliseconds, total - reached));
    phases.push([phase, own]);
    reached += own;
  };
  if (dns !== null) add('dns', dns);
  if (connect !== null) add('connect', connect);
  if (tls !== null) add('tls', tls);
  if (firstByte !== null) add('firstByte', firstByte - reached);
  add('rest', total - reached);
  return phases;
}
