import { readKeyPage, statement, type KeyOrder, type Queryable } from '@canvass/postgres';
import type { KeyPage, KeyQuery } from '@canvass/service-kit';

/** A session in the API: a sign-in and the refreshes that follow it. */
export interface SessionRow {
  id: string;
  createdAt: Date;
  lastUsedAt: Date;
  expiresAt: Date;
  clientNetwork: string | null;
  userAgent: string | null;
}

/** A session has one token that was not used yet. */
const open = `t.tenant_id = $tenantId and t.user_id = $userId and t.used_at is null and t.revoked_at is null
  and t.expires_at > now() and t.credentials_version = u.credentials_version`;
const from = `from refresh_tokens t join users u on u.tenant_id = t.tenant_id and u.id = t.user_id and u.is_enabled`;

const columns = `t.family_id as id, t.session_started_at as "createdAt", t.created_at as "lastUsedAt",
  t.expires_at as "expiresAt", t.client_network as "clientNetwork", t.user_agent as "userAgent"`;

const all = statement<{ tenantId: string; userId: string }, SessionRow>(
  'sessions.all',
  `select ${columns}, date_trunc('milliseconds', t.created_at at time zone 'UTC') as key ${from} where ${open}`,
);
const end = statement<
  { tenantId: string; userId: string; only: string | null; except: string | null },
  { id: string }
>(
  'sessions.end',
  `update refresh_tokens set revoked_at = now()
   where tenant_id = $tenantId and user_id = $userId and revoked_at is null and expires_at > now()
     and ($only::bigint is null or family_id = $only) and ($except::bigint is null or family_id <> $except)
   returning family_id as id`,
);

const lastUsedFirst: KeyOrder = { name: 'lastUsedAt', direction: 'desc', key: { type: 'time' } };

/** The sessions of a user, the last used first. @throws {Problem} `validation_failed` for the cursor */
export function selectSessions<View>(
  db: Queryable,
  tenantId: string,
  userId: string,
  window: KeyQuery,
  viewOf: (row: SessionRow) => View,
): Promise<KeyPage<View>> {
  return readKeyPage(db, all({ tenantId, userId }), lastUsedFirst, window, viewOf);
}

/**
 * Revokes the refresh tokens of sessions and returns the ids of those. Repeats until nothing is left: a
 * concurrent refresh may have created a token that the first statement could not see.
 */
export async function revokeSessions(
  tx: Queryable,
  tenantId: string,
  userId: string,
  { only = null, except = null }: { only?: string | null; except?: string | null },
): Promise<string[]> {
  const ended = new Set<string>();
  for (;;) {
    const rows = await tx.query(end({ tenantId, userId, only, except }));
    if (rows.length === 0) return [...ended];
    for (const { id } of rows) ended.add(id);
  }
}
