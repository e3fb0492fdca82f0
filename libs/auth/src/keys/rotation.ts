import type { StoredKey } from './stored-key';

/** The times of a key ring, in hours. */
export interface RotationTimes {
  /** How long a key signs. */
  rotateEveryHours: number;
  /**
   * How long before it signs a key is published, so that every verifier has fetched it by then; and how long after it
   * stopped signing it stays published, so that the tokens it signed end first. Longer than the longest token's life.
   */
  overlapHours: number;
}

const hour = 3_600_000;

/** The key that signs now: the youngest of those whose time has come. */
export function signingKey<K extends Pick<StoredKey, 'notBefore' | 'expiresAt'>>(
  keys: readonly K[],
  now: number,
): K | undefined {
  return keys
    .filter((key) => key.notBefore.getTime() <= now && key.expiresAt.getTime() > now)
    .sort((a, b) => b.notBefore.getTime() - a.notBefore.getTime())[0];
}

/**
 * When the next key has to begin, or undefined while none has to be made. On time: at the end of its predecessor's
 * turn, made `overlapHours` ahead. Too late for that (the service was off): at the soonest moment that still gives
 * verifiers the overlap, and at once if there is no key whose tokens would stay verifiable until then.
 */
export function nextKeyBegins(
  keys: readonly Pick<StoredKey, 'notBefore' | 'expiresAt'>[],
  { rotateEveryHours, overlapHours }: RotationTimes,
  now: number,
): number | undefined {
  const newest = keys
    .filter((key) => key.expiresAt.getTime() > now)
    .sort((a, b) => b.notBefore.getTime() - a.notBefore.getTime())[0];
  if (!newest) return now;
  const turnEnds = newest.notBefore.getTime() + rotateEveryHours * hour;
  if (now < turnEnds - overlapHours * hour) return undefined;
  const begins = Math.max(turnEnds, now + overlapHours * hour);
  return begins + overlapHours * hour <= newest.expiresAt.getTime() ? begins : now;
}

/** When a key that begins then is withdrawn: its turn, the overlap, and one more overlap for a rotation that is late. */
export function keyExpires(begins: number, { rotateEveryHours, overlapHours }: RotationTimes): number {
  return begins + (rotateEveryHours + 2 * overlapHours) * hour;
}
