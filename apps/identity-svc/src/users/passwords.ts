import { argon2id, hash, needsRehash, verify } from 'argon2';

/** OWASP Password Storage Cheat Sheet, first choice for argon2id: 46 MiB, one pass, one lane. */
const cost = { memoryCost: 47_104, timeCost: 1, parallelism: 1 };

/** Of no password; costs as much to check as a real one. */
const nobodysHash =
  '$argon2id$v=19$m=47104,t=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

/** One form for letters that can be typed in two ways, else a password depends on the keyboard (NIST SP 800-63B). */
const normalized = (password: string) => password.normalize('NFKC');

/** argon2id in PHC string format. */
export function hashPassword(password: string): Promise<string> {
  return hash(normalized(password), { type: argon2id, ...cost });
}

/** Takes as long for an account that does not exist (`undefined`), so that time does not tell which exist. */
export async function passwordMatches(passwordHash: string | undefined, password: string): Promise<boolean> {
  const matches = await verify(passwordHash ?? nobodysHash, normalized(password));
  return matches && passwordHash !== undefined;
}

/** Whether it was made at another cost than today's. */
export function isOutdated(passwordHash: string): boolean {
  return needsRehash(passwordHash, cost);
}
