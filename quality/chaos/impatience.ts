import type { ServiceEnvironments } from '@canvass/stack';

/** A short run: nothing in it is judged by the clock, and what takes long by design is made shorter. */
export const isShort = (seconds: number): boolean => seconds <= 300;

/** `Service:WebHooks` of the senders: in a long run as they are without configuration. */
export function senderTimes(seconds: number): { timeoutSeconds: number; leaseSeconds: number } {
  return isShort(seconds) ? { timeoutSeconds: 4, leaseSeconds: 9 } : { timeoutSeconds: 15, leaseSeconds: 30 };
}

/** What fails is tried again soon, and nothing is given up before the run is over. */
export function impatience(seconds: number): ServiceEnvironments {
  const { timeoutSeconds, leaseSeconds } = senderTimes(seconds);
  const schedule = [0.5, 0.5, 1, 1, ...Array<number>(46).fill(2)];
  return {
    'webhook-relay-svc': {
      Service__WebHooks__RetryScheduleSeconds: JSON.stringify(schedule),
      Service__WebHooks__TimeoutSeconds: String(timeoutSeconds),
      Service__WebHooks__LeaseSeconds: String(leaseSeconds),
    },
  };
}
