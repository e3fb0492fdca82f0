import {
  formAccessAudience,
  formAccessClaims,
  formAccessIssuer,
  type KeyRing,
  type Principal,
} from '@canvass/auth';
import type { Database } from '@canvass/postgres';
import { readRuntimeForm } from '../forms';

const lifetimeSeconds = 3600;

export interface FormAccessToken {
  token: string;
  expiresAtUtc: string;
}

/**
 * Issues a token with which a form runtime can read the data lists of one form for 60 minutes, and nothing
 * else. Every caller who may read the form can get one.
 *
 * @throws {Problem} as `readRuntimeForm` does
 */
export async function issueFormAccessToken(
  { db, keys }: { db: Database; keys: KeyRing },
  formId: string,
  principal: Principal | null,
): Promise<FormAccessToken> {
  const { tenantId, form } = await readRuntimeForm(db, formId, principal);
  const claims = formAccessClaims({
    tenantId,
    formId: form.id,
    dataListIds: form.dataListIds,
    formRevision: form.revision,
    isAnonymous: principal === null,
  });
  const expiresAt = new Date((Math.floor(Date.now() / 1000) + lifetimeSeconds) * 1000);
  const token = keys.sign(claims, {
    expiresInSeconds: lifetimeSeconds,
    audience: formAccessAudience,
    issuer: formAccessIssuer,
  });
  return { token, expiresAtUtc: expiresAt.toISOString() };
}
