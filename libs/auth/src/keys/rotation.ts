import type { StoredKey } from './stored-key';

/** The times of a key ring, in hours. */
export interface RotationTimes {
  /** The time for which a key signs. */
  rotateEveryHours: number;
  /**
   * The time for which a key is published before it signs, so that every verifier has fetched it by then, and
   * after it stopped signing, so that its tokens expire first. Must exceed the longest token lifetime.
   */
  overlapHours: number;
}

const hour = 3_600_000;

/** The key that signs now: the youngest whose `notBefore` is reached. */
export function signingKey<K extends Pick<StoredKey, 'notBefore' | 'expiresAt'>>(
  keys: readonly K[],
  now: number,
): K | undefined {
  return keys
    .filter((key) => key.notBefore.getTime() <= now && key.expiresAt.getTime() > now)
    .sort((a, b) => b.notBefore.getTime() - a.notBefore.getTime())[0];
}

/**
 * The time when the next key must begin to sign, or undefined if no key is needed yet. Normally this is the
 * end of its predecessor's period, planned `overlapHours` ahead. After a long downtime it is the earliest
 * time that still gives verifiers the overlap, or now if no key is left to bridge it.
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

/**
 * The time when a key that begins then is withdrawn: its period, the overlap, and one more overlap for a late
 * rotation.
 */
export function keyExpires(begins: number, { rotateEveryHours, overlapHours }: RotationTimes): number {
  return begins + (rotateEveryHours + 2 * overlapHours) * hour;
}
