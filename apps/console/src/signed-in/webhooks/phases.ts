import type { components } from '@canvass/client';

type Times = components['schemas']['WebhookAttemptTimes'];

export const phaseNames = ['dns', 'connect', 'tls', 'firstByte', 'rest'] as const;
export type Phase = (typeof phaseNames)[number];

/**
 * The milliseconds of each phase of an attempt; phases that did not happen are absent. They add up to the
 * whole time: of an attempt that got no byte, the wait is the last phase that happened.
 */
export function phasesOf(times: Times): (readonly [phase: Phase, milliseconds: number])[] {
  const { firstByte, total } = times;
  let reached = 0;
  return phaseNames.flatMap((phase) => {
    const ends = {
      ...times,
      firstByte: firstByte === null ? null : firstByte - reached,
      rest: total - reached,
    };
    const wait = ends[phase];
    if (wait === null) return [];
    const own = Math.max(0, Math.min(wait, total - reached));
    reached += own;
    return [[phase, own] as const];
  });
}
