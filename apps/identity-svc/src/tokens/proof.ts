import { type Principal, type SecretBox } from '@canvass/auth';

/** A fresh proof of an administrator, for changes of how other users sign in. */
export interface Proof {
  proof: string;
  expiresAtUtc: Date;
}

export const proofHeader = 'X-Canvass-Proof';
const lifetimeMs = 5 * 60_000;

/** A proof of one session cannot be opened for another one, nor after the roles or the password changed. */
const contextOf = ({ subject, claims }: Principal) => `proof:${subject}:${claims['sid']}:${claims['ver']}`;

/** Makes a proof for the session of a caller whose password, and code, were right. */
export function makeProof(box: SecretBox, caller: Principal): Proof {
  const expiresAtUtc = new Date(Date.now() + lifetimeMs);
  return { proof: box.seal(expiresAtUtc.toISOString(), contextOf(caller)), expiresAtUtc };
}

/** Returns whether it is a proof of this session that has not expired. */
export function isProof(box: SecretBox, caller: Principal, text: string): boolean {
  try {
    return Date.parse(box.open(text, contextOf(caller))) > Date.now();
  } catch {
    return false;
  }
}
