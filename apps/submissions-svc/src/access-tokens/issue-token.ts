import {
  formAccessAudience,
  formAccessClaims,
  formAccessIssuer,
  type KeyRing,
  type Principal,
} from '@canvass/auth';
import type { Database } from '@canvass/postgres';
import { readForm, readRuntimeForm } from '../forms';

const lifetimeSeconds = 3600;
/** The lifetime of a token that little ends: of a preview, and for the holder of a link to a private form. */
const shortSeconds = 600;

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
  link: string,
): Promise<FormAccessToken> {
  const { tenantId, form, isPublic } = await readRuntimeForm(db, formId, principal, link);
  const { id, dataListIds, revision: formRevision } = form;
  const claims = formAccessClaims(
    {
      tenantId,
      formId: id,
      dataListIds,
      formRevision,
      isPreview: false,
      isAnonymous: !principal && isPublic,
    },
    principal,
  );
  return signed(keys, claims, principal || isPublic ? lifetimeSeconds : shortSeconds);
}

/**
 * Issues a token with which a preview of a form can read the given lists for 10 minutes, and nothing else.
 * The form may be disabled, and need not name the lists.
 *
 * @throws {Problem} `not_found` for a form that the tenant does not have
 */
export async function issuePreviewToken(
  { db, keys }: { db: Database; keys: KeyRing },
  { formId, dataListIds }: { formId: string; dataListIds: string[] },
  principal: Principal,
): Promise<FormAccessToken> {
  const { id, revision } = await readForm(db, principal, formId);
  const { tenantId } = principal;
  const claims = formAccessClaims(
    { tenantId, formId: id, dataListIds, formRevision: revision, isPreview: true, isAnonymous: false },
    principal,
  );
  return signed(keys, claims, shortSeconds);
}

function signed(keys: KeyRing, claims: Record<string, unknown>, lifetimeSeconds: number): FormAccessToken {
  const expiresAt = new Date((Math.floor(Date.now() / 1000) + lifetimeSeconds) * 1000);
  const token = keys.sign(claims, {
    expiresInSeconds: lifetimeSeconds,
    audience: formAccessAudience,
    issuer: formAccessIssuer,
  });
  return { token, expiresAtUtc: expiresAt.toISOString() };
}
