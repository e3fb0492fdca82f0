import type { Revocation } from '@canvass/auth';
import { statement, type Queryable } from '@canvass/postgres';

/** Longer than any access token can live: the maximum of `Service:Tokens` is 24 hours. */
const lifetimeHours = 25;

const raiseVersion = (kind: 'user' | 'service', table: 'users' | 'service_accounts') =>
  statement<{ tenantId: string; id: string; hours: number }, { version: number }>(
    `revocations.raise_${kind}`,
    `with raised as (
       update ${table} set token_version = token_version + 1 where tenant_id = $tenantId and id = $id
       returning id, token_version
     )
     insert into revocations (kind, subject, min_version, expires_at)
     select '${kind}', id::text, token_version, now() + make_interval(hours => $hours) from raised
     on conflict (kind, subject) do update
       set min_version = excluded.min_version, xid = excluded.xid, expires_at = excluded.expires_at
     returning min_version as version`,
  );
const raiseUser = raiseVersion('user', 'users');
const raiseService = raiseVersion('service', 'service_accounts');
const end = statement<{ kind: Revocation['kind']; subject: string; hours: number }>(
  'revocations.end',
  `insert into revocations (kind, subject, min_version, expires_at)
   values ($kind, $subject, null, now() + make_interval(hours => $hours))
   on conflict (kind, subject) do update
     set min_version = null, xid = excluded.xid, expires_at = excluded.expires_at`,
);
/** Withdraws all signing keys but one, and the tokens that they signed. */
const endOtherKeys = statement<{ kept: string; hours: number }, { kid: string }>(
  'revocations.end_other_keys',
  `with gone as (delete from signing_keys where kid <> $kept returning kid)
   insert into revocations (kind, subject, min_version, expires_at)
   select 'key', kid, null, now() + make_interval(hours => $hours) from gone
   on conflict (kind, subject) do update
     set min_version = null, xid = excluded.xid, expires_at = excluded.expires_at
   returning subject as kid`,
);
/** Rows of transactions that were open at the last page come again, so none is missed. */
const page = statement<{ since: string; limit: number }, FeedRow>(
  'revocations.page',
  `with at as (select pg_snapshot_xmin(pg_current_snapshot()) as next),
   found as (
     select kind, subject, min_version, expires_at, xid from revocations, at
     where (xid >= $since::text::xid8 or $since::text::xid8 > next) and expires_at > now()
     order by xid limit $limit
   )
   select next::text, kind, subject, min_version as "minVersion", expires_at as "expiresAt", xid::text
   from at left join found on true order by found.xid`,
);
const isSigned = `not exists (select from revocations where kind = 'key' and subject = $keyId)`;
const isCurrentUser = statement<{
  tenantId: string;
  id: string;
  version: number;
  keyId: string;
  session: string;
}>(
  'revocations.is_current_user',
  `select from users where tenant_id = $tenantId and id = $id and is_enabled and token_version = $version
     and not exists (select from revocations where kind = 'session' and subject = $session) and ${isSigned}`,
);
const isCurrentService = statement<{ tenantId: string; id: string; version: number; keyId: string }>(
  'revocations.is_current_service',
  `select from service_accounts
   where tenant_id = $tenantId and id = $id and is_enabled and token_version = $version and ${isSigned}`,
);
const deleteExpired = statement(
  'revocations.delete_expired',
  'delete from revocations where expires_at < now()',
);

interface FeedRow {
  /** The transaction id from which the next page starts, if this one is complete. */
  next: string;
  /** Null in the only row of an empty page. */
  kind: Revocation['kind'] | null;
  subject: string;
  minVersion: number | null;
  expiresAt: Date;
  xid: string;
}

export interface RevocationPage {
  revocations: (Omit<Revocation, 'expiresAt'> & { expiresAt: Date })[];
  /** `since` of the next request. */
  next: string;
  /** Whether there are more now. */
  hasMore: boolean;
}

/** Ends the access tokens of a user. Returns the version of tokens that are issued from now on. */
export async function revokeUserTokens(tx: Queryable, tenantId: string, id: string): Promise<number> {
  return (await tx.query(raiseUser({ tenantId, id, hours: lifetimeHours })))[0]!.version;
}

/** Ends the access tokens of a service account. */
export async function revokeServiceTokens(tx: Queryable, tenantId: string, id: string): Promise<void> {
  await tx.query(raiseService({ tenantId, id, hours: lifetimeHours }));
}

/** Ends all tokens of a deleted user or service account, of one session, or of one signing key. */
export async function revokeAll(tx: Queryable, kind: Revocation['kind'], subject: string): Promise<void> {
  await tx.query(end({ kind, subject, hours: lifetimeHours }));
}

/** Withdraws all signing keys but one at once. Returns the key ids of those. */
export async function revokeOtherKeys(db: Queryable, kept: string): Promise<string[]> {
  return (await db.query(endOtherKeys({ kept, hours: lifetimeHours }))).map(({ kid }) => kid);
}

/** A transaction adds fewer rows. A page that ends within a transaction would be sent again without end. */
const pageSize = 2_000;

/** Revocations since a position; `0` is the beginning. After a restore of the database it starts again. */
export async function selectRevocations(db: Queryable, since: string): Promise<RevocationPage> {
  const rows = await db.query(page({ since, limit: pageSize }));
  const found = rows.filter(({ kind }) => kind !== null);
  const isFull = found.length === pageSize;
  return {
    revocations: found.map(({ kind, subject, minVersion, expiresAt }) => ({
      kind: kind!,
      subject,
      minVersion,
      expiresAt,
    })),
    next: isFull ? found.at(-1)!.xid : rows[0]!.next,
    hasMore: isFull,
  };
}

/** What an access token says of itself. */
export interface TokenState {
  kind: 'user' | 'service';
  tenantId: string;
  id: string;
  version: number;
  /** The key that signed it. */
  keyId: string;
  /** Empty for service accounts. */
  session: string;
}

/** Whether the subject of a token still exists, is enabled, and has not been changed since. */
export async function isCurrent(db: Queryable, { kind, session, ...subject }: TokenState): Promise<boolean> {
  const found =
    kind === 'user'
      ? await db.query(isCurrentUser({ ...subject, session }))
      : await db.query(isCurrentService(subject));
  return found.length > 0;
}

export async function deleteExpiredRevocations(db: Queryable): Promise<void> {
  await db.query(deleteExpired());
}
