import type { GatewaySettings } from '../config';
import { Copy, type CopySettings } from './copy';
import { watchReadiness, type RotationSettings } from './rotation';

export type UpstreamSettings = CopySettings & RotationSettings & Pick<GatewaySettings, 'Breaker'>;

/** A service, as one copy (or a balancer that stands for all) or as several that the gateway chooses from. */
export interface Upstream {
  /** Whether `choose` would find a copy now. */
  readonly isAvailable: boolean;
  /**
   * The copy to send a request to: of those that are well the one with the fewest requests under way, in turn among
   * equals. Where none is, one that is to be tried; null where there is none.
   */
  choose(except?: ReadonlySet<Copy>): Copy | null;
  /** Takes a copy out until it says that it is ready. Without effect on the only one. */
  passOver(copy: Copy): void;
  /** Over all copies: requests on their way, those that wait for a connection, and copies whose breaker is open. */
  load(): { running: number; queued: number; openBreakers: number };
  close(): Promise<void>;
}

const nobody: ReadonlySet<Copy> = new Set();

export function createUpstream(baseUrls: readonly string[], settings: UpstreamSettings): Upstream {
  const copies = baseUrls.map((url) => new Copy(new URL(url).origin, settings));
  const watch = copies.length > 1 ? watchReadiness(copies, settings) : null;
  let turn = 0;

  function leastBusy(except: ReadonlySet<Copy>, isFit: (copy: Copy) => boolean): Copy | null {
    let best: Copy | null = null;
    for (let index = 0; index < copies.length; index += 1) {
      const copy = copies[(turn + index) % copies.length]!;
      if (except.has(copy) || !isFit(copy)) continue;
      if (best === null || copy.inFlight < best.inFlight) best = copy;
    }
    return best;
  }
  /** Ready, but silent the last times: one request in each interval finds out whether it still is. */
  const isToBeTried = (copy: Copy) => copy.inRotation && copy.breaker.isOpen && copy.breaker.admits();
  const isWell = ({ inRotation, breaker }: Copy) => inRotation && !breaker.isOpen;
  return {
    get isAvailable() {
      return copies.some(({ breaker }) => breaker.wouldAdmit);
    },
    choose(except = nobody) {
      turn = (turn + 1) % copies.length;
      return (
        copies.find((copy) => !except.has(copy) && isToBeTried(copy)) ??
        leastBusy(except, isWell) ??
        // Nobody says that it is ready; they are asked all the same, so that callers get their answer from the service.
        leastBusy(except, ({ breaker }) => !breaker.isOpen) ??
        copies.find((copy) => !except.has(copy) && copy.breaker.admits()) ??
        null
      );
    },
    passOver(copy) {
      if (watch !== null) copy.inRotation = false;
    },
    load() {
      const queued = copies.reduce((sum, copy) => sum + copy.queued, 0);
      const inFlight = copies.reduce((sum, copy) => sum + copy.inFlight, 0);
      const openBreakers = copies.filter(({ breaker }) => breaker.isOpen).length;
      return { running: inFlight - queued, queued, openBreakers };
    },
    async close() {
      await Promise.all([watch?.close(), ...copies.map((copy) => copy.close())]);
    },
  };
}
