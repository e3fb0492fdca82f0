import { statement, type Queryable } from '@canvass/postgres';
import { createHash, randomBytes } from 'node:crypto';

const insert = statement<
  {
    tokenHash: Buffer;
    tenantId: string;
    userId: string;
    familyId: string | undefined;
    startedAt: string | undefined;
    credentialsVersion: number;
    network: string | null;
    userAgent: string | null;
    days: number;
    sessionDays: number;
  },
  { familyId: string; expiresAt: Date }
>(
  'refresh_tokens.insert',
  `insert into refresh_tokens (token_hash, tenant_id, user_id, family_id, credentials_version, session_started_at,
     client_network, user_agent, expires_at)
   select $tokenHash, $tenantId, $userId, coalesce($familyId, next_id()), $credentialsVersion, started,
     $network, $userAgent, least(now() + make_interval(days => $days), started + make_interval(days => $sessionDays))
   from coalesce($startedAt::timestamptz, now()) as started
   returning family_id as "familyId", expires_at as "expiresAt"`,
);
const grant = `tenant_id as "tenantId", user_id as "userId", family_id as "familyId",
  credentials_version as "credentialsVersion", session_started_at::text as "startedAt"`;
const use = statement<{ tokenHash: Buffer }, RefreshGrant>(
  'refresh_tokens.use',
  `update refresh_tokens set used_at = now()
   where token_hash = $tokenHash and used_at is null and revoked_at is null and expires_at > now()
   returning ${grant}`,
);
/** Locks the token, so that its further uses come one after the other. */
const justUsed = statement<{ tokenHash: Buffer; seconds: number }, RefreshGrant & { isContinued: boolean }>(
  'refresh_tokens.just_used',
  `select ${grant}, exists (
     select from refresh_tokens n where n.family_id = t.family_id and n.used_at > t.used_at) as "isContinued"
   from refresh_tokens t
   where token_hash = $tokenHash and used_at > now() - make_interval(secs => $seconds)
     and revoked_at is null and expires_at > now()
   for update`,
);
const revokeUnused = statement<{ familyId: string }>(
  'refresh_tokens.revoke_unused',
  'update refresh_tokens set revoked_at = now() where family_id = $familyId and used_at is null and revoked_at is null',
);
const revokeFamily = statement<{ tokenHash: Buffer }, EndedFamily>(
  'refresh_tokens.revoke_family',
  `update refresh_tokens set revoked_at = now()
   where revoked_at is null and family_id = (select family_id from refresh_tokens where token_hash = $tokenHash)
   returning family_id as "familyId", tenant_id as "tenantId", user_id as "userId"`,
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
  /** The sign-in, in the format of the database, to the microsecond. */
  startedAt: string;
}

export interface NewRefreshToken {
  tenantId: string;
  userId: string;
  credentialsVersion: number;
  /** The session that it continues; without it a session starts. */
  continues: Pick<RefreshGrant, 'familyId' | 'startedAt'> | undefined;
  network: string | null;
  userAgent: string | null;
  /** Lifetime of the token, and of the session. */
  days: number;
  sessionDays: number;
}

const hashOf = (token: string) => createHash('sha256').update(token).digest();

/** Creates a refresh token of 256 random bits and stores its hash. */
export async function insertRefreshToken(
  db: Queryable,
  { continues, ...values }: NewRefreshToken,
): Promise<{ token: string; familyId: string; expiresAt: Date }> {
  const token = randomBytes(32).toString('base64url');
  const { familyId, startedAt } = continues ?? { familyId: undefined, startedAt: undefined };
  const [row] = await db.query(insert({ ...values, tokenHash: hashOf(token), familyId, startedAt }));
  return { token, ...row! };
}

/** Uses up a valid token; otherwise returns undefined. Of two concurrent uses one succeeds. */
export async function useRefreshToken(db: Queryable, token: string): Promise<RefreshGrant | undefined> {
  return (await db.query(use({ tokenHash: hashOf(token) })))[0];
}

/**
 * A token that was used up at most `seconds` ago, in a session that still lasts; otherwise undefined.
 * `isContinued`: a later token of the session was used, too, so its owner received the response.
 */
export async function justUsedRefreshToken(
  tx: Queryable,
  token: string,
  seconds: number,
): Promise<(RefreshGrant & { isContinued: boolean }) | undefined> {
  return (await tx.query(justUsed({ tokenHash: hashOf(token), seconds })))[0];
}

/** Revokes the token of a session that was not used yet. */
export async function revokeUnusedRefreshToken(tx: Queryable, familyId: string): Promise<void> {
  await tx.query(revokeUnused({ familyId }));
}

/** The tokens of a session that was ended. */
export interface EndedFamily {
  familyId: string;
  tenantId: string;
  userId: string;
}

/**
 * Revokes the family of a token, whether the token is used, expired or valid. Returns the family if anything
 * was revoked. Repeats until nothing is left: a concurrent refresh may have created a token that the
 * first statement could not see.
 */
export async function revokeFamilyOf(db: Queryable, token: string): Promise<EndedFamily | undefined> {
  let ended: EndedFamily | undefined;
  for (;;) {
    const [row] = await db.query(revokeFamily({ tokenHash: hashOf(token) }));
    if (!row) return ended;
    ended = row;
  }
}

export async function deleteExpiredRefreshTokens(db: Queryable): Promise<void> {
  await db.query(deleteExpired());
}
