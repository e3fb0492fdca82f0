import { statement, type Queryable } from '@canvass/postgres';
import { createHash, randomBytes } from 'node:crypto';

const insert = statement<
  {
    tokenHash: Buffer;
    tenantId: string;
    userId: string;
    familyId: string | undefined;
    credentialsVersion: number;
    days: number;
  },
  { familyId: string }
>(
  'refresh_tokens.insert',
  `insert into refresh_tokens (token_hash, tenant_id, user_id, family_id, credentials_version, expires_at)
   values ($tokenHash, $tenantId, $userId, coalesce($familyId, next_id()), $credentialsVersion, now() + make_interval(days => $days))
   returning family_id as "familyId"`,
);
const use = statement<{ tokenHash: Buffer }, RefreshGrant>(
  'refresh_tokens.use',
  `update refresh_tokens set used_at = now()
   where token_hash = $tokenHash and used_at is null and revoked_at is null and expires_at > now()
   returning tenant_id as "tenantId", user_id as "userId", family_id as "familyId",
     credentials_version as "credentialsVersion"`,
);
const revokeFamily = statement<{ tokenHash: Buffer }, { familyId: string }>(
  'refresh_tokens.revoke_family',
  `update refresh_tokens set revoked_at = now()
   where revoked_at is null and family_id = (select family_id from refresh_tokens where token_hash = $tokenHash)
   returning family_id as "familyId"`,
);
// Skips rows that the end of a family has locked. It locks several in no fixed order, so waiting could
// deadlock.
const deleteExpired = statement(
  'refresh_tokens.delete_expired',
  `delete from refresh_tokens where token_hash in (
     select token_hash from refresh_tokens where expires_at < now() for update skip locked)`,
);

/** One login and the refreshes that follow it. */
export interface RefreshGrant {
  tenantId: string;
  userId: string;
  familyId: string;
  credentialsVersion: number;
}

const hashOf = (token: string) => createHash('sha256').update(token).digest();

/** Creates a refresh token of 256 random bits and stores its hash. Without `familyId` it starts a family. */
export async function insertRefreshToken(
  db: Queryable,
  grant: Omit<RefreshGrant, 'familyId'> & { familyId?: string },
  days: number,
): Promise<{ token: string; familyId: string }> {
  const token = randomBytes(32).toString('base64url');
  const { tenantId, userId, familyId, credentialsVersion } = grant;
  const tokenHash = hashOf(token);
  const values = { tokenHash, tenantId, userId, familyId, credentialsVersion, days };
  const [row] = await db.query(insert(values));
  return { token, familyId: row!.familyId };
}

/** Uses up a valid token; otherwise returns undefined. Of two concurrent uses one succeeds. */
export async function useRefreshToken(db: Queryable, token: string): Promise<RefreshGrant | undefined> {
  return (await db.query(use({ tokenHash: hashOf(token) })))[0];
}

/**
 * Revokes the family of a token, whether the token is used, expired or valid. Returns the id of the family if
 * anything was revoked. Repeats until nothing is left: a concurrent refresh may have created a token that the
 * first statement could not see.
 */
export async function revokeFamilyOf(db: Queryable, token: string): Promise<string | undefined> {
  let ended: string | undefined;
  for (;;) {
    const [row] = await db.query(revokeFamily({ tokenHash: hashOf(token) }));
    if (!row) return ended;
    ended = row.familyId;
  }
}

export async function deleteExpiredRefreshTokens(db: Queryable): Promise<void> {
  await db.query(deleteExpired());
}
