import type { ServiceEnvironments } from '@canvass/stack';
import { createRandom } from '@canvass/testing';

/** `Service:Outbox:DeliverToJobQueue` of the two relays; `mixed`: on in the first, off in the second. */
export const jobQueueModes = ['on', 'off', 'mixed'] as const;
export type JobQueueMode = (typeof jobQueueModes)[number];

export const isJobQueueMode = (word: string): word is JobQueueMode =>
  (jobQueueModes as readonly string[]).includes(word);

/** The mode of a run whose command line names none: on for half of all seeds, off and mixed for a quarter each. */
export const jobQueueOfSeed = (seed: string): JobQueueMode =>
  createRandom(`${seed}/job-queue`).pick(['on', 'on', 'off', 'mixed']);

/** Makes the relays of a stack use the mode. */
export function jobQueueEnvironment(mode: JobQueueMode): ServiceEnvironments {
  const set = (on: boolean) => ({ Service__Outbox__DeliverToJobQueue: String(on) });
  return { 'webhook-relay-svc': set(mode !== 'off'), 'webhook-relay-svc-2': set(mode === 'on') };
}
