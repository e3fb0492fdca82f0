import { argon2id, hash, needsRehash, verify } from 'argon2';
import { randomBytes } from 'node:crypto';
import { inTurn } from './hash-queue';

/** First choice for argon2id in the OWASP Password Storage Cheat Sheet: 46 MiB, one pass, one lane. */
const cost = { memoryCost: 47_104, timeCost: 1, parallelism: 1 };

/** The hash of no password. Checking against it costs as much as against a real one. */
const unknownAccountHash =
  '$argon2id$v=19$m=47104,t=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

/**
 * One form for letters that can be typed in two ways; otherwise a password would depend on the keyboard (NIST
 * SP 800-63B).
 */
const normalized = (password: string) => password.normalize('NFKC');

/** A password for a user who has to set one with a link. */
export const unusablePassword = (): string => randomBytes(32).toString('base64url');

/** argon2id in PHC string format. @throws {Problem} `service_unavailable` while too many passwords wait */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(normalized(password), { type: argon2id, ...cost }));
}

/**
 * Takes equally long for an unknown account (`undefined`), so that timing does not reveal which accounts
 * exist. @throws {Problem} `service_unavailable` while too many passwords wait
 */
export async function passwordMatches(passwordHash: string | undefined, password: string): Promise<boolean> {
  const matches = await inTurn(() => verify(passwordHash ?? unknownAccountHash, normalized(password)));
  return matches && passwordHash !== undefined;
}

/** Returns whether the hash has other cost parameters than new ones. */
export function isOutdated(passwordHash: string): boolean {
  return needsRehash(passwordHash, cost);
}
