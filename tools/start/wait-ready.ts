import { setTimeout as sleep } from 'node:timers/promises';
import { SetupError } from '../infra';
import type { SupervisedProcess } from './supervised-process';

/** A service could not listen because another process took its port after we had found it free. */
export class PortTaken extends Error {
  constructor(readonly service: string) {
    super(`the port of ${service} was taken`);
  }
}

/**
 * Waits until the readiness probe at `url` answers 200. A process that dies again and again, or takes too
 * long, is told with its last lines.
 */
export async function waitReady(service: SupervisedProcess, url: string, timeoutMs = 90_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (let last = 'no answer'; ; await sleep(50)) {
    if (service.deaths > 0 && /EADDRINUSE|another process listens/.test(service.logTail(5))) {
      throw new PortTaken(service.name);
    }
    if (service.deaths >= 3) {
      throw new SetupError(`${service.name} does not stay up; the end of its log:\n${service.logTail()}`);
    }
    try {
      const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) });
      if (answer.status === 200) return;
      last = `${answer.status} ${(await answer.text()).slice(0, 200)}`;
    } catch {
      last = 'no answer';
    }
    if (Date.now() > deadline) {
      throw new SetupError(
        `${service.name} did not get ready within ${timeoutMs / 1000} s (${last}); the end of its log:\n${service.logTail()}`,
      );
    }
  }
}
