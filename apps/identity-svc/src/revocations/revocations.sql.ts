import type { Revocation } from '@canvass/auth';
import { statement, type Queryable } from '@canvass/postgres';

/** A time longer than any access token can live: the maximum of `Service:Tokens` is 24 hours. */
const tokenHours = 25;
/**
 * A time longer than anything that carries the version of an account: submission tokens live for ten years at
 * most (`submissionTokenExpiryHours`).
 */
const accountHours = 87_600 + tokenHours;
const hoursOf = (kind: Revocation['kind']): number =>
  kind === 'user' || kind === 'service' ? accountHours : tokenHours;

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
/**
 * Rows of transactions that were not visible before, after the last row of the page before. `horizon` is the
 * oldest transaction that is still open: rows from there on come again, so none is missed.
 */
const page = statement<PagePosition & { limit: number }, FeedRow>(
  'revocations.page',
  `with at as (
     select pg_snapshot_xmin(pg_current_snapshot()) as horizon,
       $since::text::xid8 > pg_snapshot_xmax(pg_current_snapshot()) as "isRestored"
   ),
   found as (
     select kind, subject, min_version, expires_at, xid from revocations, at
     where (xid >= $since::text::xid8 or "isRestored")
       and (xid, kind, subject) > ($xid::text::xid8, $kind, $subject) and expires_at > now()
     order by xid, kind, subject limit $limit
   )
   select horizon::text, kind, subject, min_version as "minVersion", expires_at as "expiresAt", xid::text
   from at left join found on true order by found.xid, kind, subject`,
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

/** The place where a page begins. */
interface PagePosition {
  /** The transaction id from which rows may be new. */
  since: string;
  /** The last row of the page before. */
  xid: string;
  kind: string;
  subject: string;
}

interface FeedRow {
  horizon: string;
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
  /** Returns whether there are more now. */
  hasMore: boolean;
}

/** Ends the access tokens of a user. Returns the version of tokens that are issued from now on. */
export async function revokeUserTokens(tx: Queryable, tenantId: string, id: string): Promise<number> {
  return (await tx.query(raiseUser({ tenantId, id, hours: accountHours })))[0]!.version;
}

/** Ends the access tokens of a service account. */
export async function revokeServiceTokens(tx: Queryable, tenantId: string, id: string): Promise<void> {
  await tx.query(raiseService({ tenantId, id, hours: accountHours }));
}

/** Ends all tokens of a deleted user or service account, of one session, or of one signing key. */
export async function revokeAll(tx: Queryable, kind: Revocation['kind'], subject: string): Promise<void> {
  await tx.query(end({ kind, subject, hours: hoursOf(kind) }));
}

/** Withdraws all signing keys but one at once. Returns the key ids of those. */
export async function revokeOtherKeys(db: Queryable, kept: string): Promise<string[]> {
  return (await db.query(endOtherKeys({ kept, hours: tokenHours }))).map(({ kid }) => kid);
}

const pageSize = 2_000;

/**
 * Revocations since a position; `0` is the beginning. After a restore of the database it starts again. A
 * position is a transaction id, and between two pages also the horizon of the first page and the last row:
 * `since,horizon,xid,kind,subject`.
 */
export async function selectRevocations(db: Queryable, position: string): Promise<RevocationPage> {
  const [since = '0', firstHorizon, xid = '0', kind = '', ...subject] = position.split(',');
  const after = { since, xid, kind, subject: subject.join(',') };
  const rows = await db.query(page({ ...after, limit: pageSize }));
  const found = rows.filter((row) => row.kind !== null);
  const last = found.length === pageSize ? found.at(-1) : undefined;
  const horizon = firstHorizon ?? rows[0]!.horizon;
  return {
    revocations: found.map(({ xid: _xid, horizon: _horizon, ...row }) => ({ ...row, kind: row.kind! })),
    next: last === undefined ? horizon : [since, horizon, last.xid, last.kind, last.subject].join(','),
    hasMore: last !== undefined,
  };
}

/** The state of an access token by its own claims. */
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

/** Returns whether the subject of a token still exists, is enabled, and has not been changed since. */
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
